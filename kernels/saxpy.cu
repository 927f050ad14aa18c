// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "saxpy/device.h"

enum { THREADS = 256, BLOCKS_AN_SM = 8 };

struct device {
	size_t n;
	int blocks; // of the fixed grid
	float *x, *y;
	cudaEvent_t begin, end;
};

__global__ static void
scalar(size_t n, float a, const float *__restrict__ x, float *__restrict__ y)
{
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = a * x[i] + y[i];
}

// The last up to three elements are the first threads'.
__global__ static void
by_four(size_t n, float a, const float *__restrict__ x, float *__restrict__ y)
{
	const float4 *x4 = reinterpret_cast<const float4 *>(x);
	float4 *y4 = reinterpret_cast<float4 *>(y);
	size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = first; i < n / 4; i += stride) {
		float4 u = x4[i], v = y4[i];

		v.x = a * u.x + v.x;
		v.y = a * u.y + v.y;
		v.z = a * u.z + v.z;
		v.w = a * u.w + v.w;
		y4[i] = v;
	}
	if (first < n % 4)
		y[n / 4 * 4 + first] = a * x[n / 4 * 4 + first] + y[n / 4 * 4 + first];
}

static int
done(cudaError_t status, const char *what, struct assay_error *error)
{
	if (status == cudaSuccess)
		return 0;
	return assay_fail(error, "%s: %s", what, cudaGetErrorString(status));
}

static void
put_version(int version, char *text, size_t size)
{
	snprintf(text, size, "%d.%d", version / 1000, version % 1000 / 10);
}

static void
put_uuid(const cudaUUID_t *uuid, char *text, size_t size)
{
	const unsigned char *b = reinterpret_cast<const unsigned char *>(uuid->bytes);

	snprintf(text, size,
		 "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
		 b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

static int
find(struct device *device, struct device_facts *facts, struct assay_error *error)
{
	struct cudaDeviceProp facts_of;
	cudaError_t status;
	int count = 0, driver = 0;

	status = cudaGetDeviceCount(&count);
	if (status != cudaSuccess || count == 0)
		return assay_fail(error, "no CUDA device: %s",
				  status != cudaSuccess ? cudaGetErrorString(status) : "the driver lists none");
	if (done(cudaSetDevice(0), "device 0", error) != 0 ||
	    done(cudaGetDeviceProperties(&facts_of, 0), "its properties", error) != 0 ||
	    done(cudaDriverGetVersion(&driver), "the driver's version", error) != 0)
		return -1;
	device->blocks = facts_of.multiProcessorCount * BLOCKS_AN_SM;
	snprintf(facts->name, sizeof facts->name, "%.120s", facts_of.name);
	put_uuid(&facts_of.uuid, facts->uuid, sizeof facts->uuid);
	put_version(driver, facts->driver, sizeof facts->driver);
	put_version(CUDART_VERSION, facts->toolkit, sizeof facts->toolkit);
	return 0;
}

static int
fill(float **to, const float *from, size_t n, struct assay_error *error)
{
	if (done(cudaMalloc(to, n * sizeof *from), "memory of the device", error) != 0)
		return -1;
	return done(cudaMemcpy(*to, from, n * sizeof *from, cudaMemcpyHostToDevice), "copy to the device",
		    error);
}

struct device *
device_open(size_t n, const float *x, const float *y, struct device_facts *facts,
	struct assay_error *error)
{
	struct device *device = static_cast<struct device *>(assay_alloc(1, sizeof *device, error));

	if (!device)
		return NULL;
	device->n = n;
	if (find(device, facts, error) == 0 && fill(&device->x, x, n, error) == 0 &&
	    fill(&device->y, y, n, error) == 0 && done(cudaEventCreate(&device->begin), "event", error) == 0 &&
	    done(cudaEventCreate(&device->end), "event", error) == 0)
		return device;
	device_close(device);
	return NULL;
}

void
device_close(struct device *device)
{
	if (!device)
		return;
	cudaFree(device->x);
	cudaFree(device->y);
	if (device->begin)
		cudaEventDestroy(device->begin);
	if (device->end)
		cudaEventDestroy(device->end);
	free(device);
}

static void
launch(const struct device *device, enum device_form form, float a)
{
	unsigned whole = (unsigned)((device->n + THREADS - 1) / THREADS);

	if (form == DEVICE_SCALAR)
		scalar<<<whole, THREADS>>>(device->n, a, device->x, device->y);
	else
		by_four<<<device->blocks, THREADS>>>(device->n, a, device->x, device->y);
}

int
device_saxpy(struct device *device, enum device_form form, float a, uint64_t passes, double *ms,
	struct assay_error *error)
{
	float elapsed_ms = 0;

	if (done(cudaEventRecord(device->begin), "event before the passes", error) != 0)
		return -1;
	for (uint64_t i = 0; i < passes; i++)
		launch(device, form, i % 2 == 0 ? a : -a);
	if (done(cudaGetLastError(), "launch", error) != 0 ||
	    done(cudaEventRecord(device->end), "event behind the passes", error) != 0 ||
	    done(cudaEventSynchronize(device->end), "the passes", error) != 0 ||
	    done(cudaEventElapsedTime(&elapsed_ms, device->begin, device->end), "time between events", error) != 0)
		return -1;
	*ms = (double)elapsed_ms;
	return 0;
}

int
device_fetch(const struct device *device, float *y, struct assay_error *error)
{
	return done(cudaMemcpy(y, device->y, device->n * sizeof *y, cudaMemcpyDeviceToHost),
		    "copy from the device", error);
}
