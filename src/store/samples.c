#include "store/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"
#include "identity/identity.h"
#include "store/counts.h"
#include "store/reader.h"

/* Everything a row needs that is not in its own record. */
struct writing {
	const struct store_case *store;
	const struct plan *plan;
	const struct reader *reader;
	struct schedule schedule;
	const char *regime;     /* the one that counts, NULL: none */
	struct reading **readings; /* [session][record] */
	char **names;           /* METRIC names, sorted */
	size_t name_count;
	struct buffer out, counts;
};

static const char *const fixed_columns[] = {
	"run_id", "session", "case_id", "experiment", "item", "treatment", "variant", "phase",
	"block", "pair", "order", "slot", "attempt", "sample", "started_ns", "cpu", "cfg_len",
	"cfg_iters", "status", "reason", "used", "wall_us", "cpu_us", "flops",
};
static const char *const process_columns[] = {
	"process_wall_us", "process_user_us", "process_sys_us", "max_rss_kib",
	"voluntary_switches", "involuntary_switches", "leftovers", "check", "stdout_sha256",
};

#define COUNT(array) (sizeof (array) / sizeof *(array))

/* ---- what counts ---- */

static bool
same_regime(const struct store_session *session, const char *regime)
{
	return regime != NULL && session->regime != NULL && strcmp(session->regime, regime) == 0;
}

/* used[session][record] = true for the records of each block's last whole attempt. */
static bool **
find_used(const struct writing *writing)
{
	const struct store_case *store = writing->store;
	bool **used = memory_zeroed(store->session_count, sizeof *used);
	size_t s, b, first;
	int k;

	for (s = 0; s < store->session_count; s++)
		used[s] = memory_zeroed(store->sessions[s].record_count, sizeof **used);
	for (b = 0; b < writing->schedule.count; b++) {
		const struct block *block = &writing->schedule.blocks[b];
		const struct store_session *session = store_find_block(store, block, &first);

		if (session == NULL || !same_regime(session, writing->regime))
			continue;
		for (k = 0; k < block->size; k++)
			used[session - store->sessions][first + (size_t)k] = true;
	}
	return used;
}

static void
free_used(const struct writing *writing, bool **used)
{
	size_t s;

	for (s = 0; s < writing->store->session_count; s++)
		free(used[s]);
	free(used);
}

/* Blocks whose last whole attempt was made in another regime than the one that counts. */
static char *
regime_problem(const struct writing *writing)
{
	const struct store_session *other = NULL;
	size_t b, first, count = 0;
	char *difference, *problem;

	for (b = 0; b < writing->schedule.count; b++) {
		const struct store_session *session =
			store_find_block(writing->store, &writing->schedule.blocks[b], &first);

		if (session != NULL && !same_regime(session, writing->regime)) {
			other = session;
			count++;
		}
	}
	if (count == 0)
		return NULL;
	difference = other->regime == NULL || writing->regime == NULL
			     ? memory_copy_text("a session has no regime.txt")
			     : identity_difference(other->regime, writing->regime);
	problem = memory_format("%zu of %zu blocks were measured in another state of the machine (%s); "
				"'ninja report' measures them again", count, writing->schedule.count,
				difference);
	free(difference);
	return problem;
}

/* Records of a block that their own session did not finish. */
static int
count_orphans(const struct store_session *session, const struct schedule *schedule)
{
	int orphans = 0;
	size_t i, j;

	for (i = 0; i < session->record_count; i = j) {
		int block = session->records[i].block;

		for (j = i + 1; j < session->record_count && session->records[j].block == block; j++)
			;
		if (block > 0 && ((size_t)block > schedule->count ||
				  (size_t)schedule->blocks[block - 1].size != j - i))
			orphans += (int)(j - i);
	}
	return orphans;
}

/* ---- columns ---- */

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool
samples_has_column(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT(fixed_columns); i++)
		if (strcmp(fixed_columns[i], name) == 0)
			return true;
	for (i = 0; i < COUNT(process_columns); i++)
		if (strcmp(process_columns[i], name) == 0)
			return true;
	return false;
}

static void
collect_sample(struct writing *writing, size_t *capacity, const struct reading_sample *sample)
{
	size_t v;

	for (v = 0; v < sample->value_count; v++) {
		if (samples_has_column(sample->values[v].name))
			continue; /* the protocol refuses them; never two columns of a name */
		writing->names = memory_grow(writing->names, writing->name_count, capacity,
					     sizeof *writing->names);
		writing->names[writing->name_count++] = sample->values[v].name;
	}
}

static void
collect_names(struct writing *writing)
{
	size_t s, r, i, capacity = 0, kept = 0;

	for (s = 0; s < writing->store->session_count; s++)
		for (r = 0; r < writing->store->sessions[s].record_count; r++)
			for (i = 0; i < writing->readings[s][r].count; i++)
				collect_sample(writing, &capacity,
					       &writing->readings[s][r].samples[i]);
	if (writing->name_count > 0)
		qsort(writing->names, writing->name_count, sizeof *writing->names, compare_names);
	for (i = 0; i < writing->name_count; i++)
		if (kept == 0 || strcmp(writing->names[kept - 1], writing->names[i]) != 0)
			writing->names[kept++] = writing->names[i];
	writing->name_count = kept;
}

static void
put_header(struct writing *writing)
{
	size_t i;

	for (i = 0; i < COUNT(fixed_columns); i++)
		csv_put_text(&writing->out, fixed_columns[i], ',');
	for (i = 0; i < writing->name_count; i++)
		csv_put_text(&writing->out, writing->names[i], ',');
	for (i = 0; i < COUNT(process_columns); i++)
		csv_put_text(&writing->out, process_columns[i],
			     i + 1 < COUNT(process_columns) ? ',' : '\n');
}

/* Of the treatment, which is the variant's where nothing is blocked; A' is named after A. */
static char *
variant_name(const struct plan *plan, int treatment)
{
	if (treatment >= 0 && (size_t)treatment < plan->treatment_count)
		return memory_copy_text(plan->treatments[treatment].name);
	return memory_format("%s'", plan->treatment_count > 0 ? plan_treatment(plan, treatment)->name : "");
}

/* What the program says of its CPU, else where we pinned it. */
static void
put_cpu(struct buffer *out, const struct record *record, const struct reading *reading)
{
	struct buffer list = BUFFER_EMPTY;
	int i;

	if (reading->cpus != NULL)
		buffer_puts(&list, reading->cpus);
	for (i = 0; reading->cpus == NULL && record->result.pinned && i < record->cpu_count; i++)
		buffer_printf(&list, "%s%d", i > 0 ? "," : "", record->cpus[i]);
	csv_put_text(out, buffer_text(&list), ',');
	buffer_free(&list);
}

/* ---- rows ---- */

/* What a row is about: a sample of an item, an item that failed, or the group alone. */
struct row {
	const char *item, *status, *reason;
	size_t number;                        /* of the sample; 0: none */
	const struct reading_sample *sample;  /* NULL: none */
};

static void
put_place(struct writing *writing, const struct record *record, const struct reading *reading,
	  const struct row *row, bool used)
{
	struct buffer *out = &writing->out;
	char *variant = variant_name(writing->plan, record->treatment);

	csv_put_text(out, record->run_id, ',');
	csv_put_integer(out, record->session, ',');
	csv_put_text(out, record->case_id, ',');
	csv_put_text(out, writing->plan->experiment, ',');
	csv_put_text(out, row->item, ',');
	csv_put_integer(out, record->treatment, ',');
	csv_put_text(out, variant, ',');
	csv_put_text(out, phase_name(record->phase), ',');
	csv_put_integer(out, record->block, ',');
	csv_put_integer(out, record->pair, ',');
	csv_put_integer(out, record->order, ',');
	csv_put_integer(out, record->slot, ',');
	csv_put_integer(out, record->attempt, ',');
	csv_put_integer(out, (long long)row->number, ',');
	csv_put_integer(out, record->result.started_realtime_ns, ',');
	put_cpu(out, record, reading);
	csv_put_number(out, reading->len >= 0 ? (double)reading->len : NAN, ',');
	csv_put_number(out, reading->iters >= 0 ? (double)reading->iters : NAN, ',');
	csv_put_text(out, row->status, ',');
	csv_put_text(out, row->reason, ',');
	csv_put_integer(out, used, ',');
	free(variant);
}

static double
value_of(const struct reading_sample *sample, const char *name)
{
	double value = NAN; /* the last one said */
	size_t v;

	for (v = 0; v < sample->value_count; v++)
		if (strcmp(sample->values[v].name, name) == 0)
			value = sample->values[v].value;
	return value;
}

static void
put_values(struct writing *writing, const struct reading_sample *sample)
{
	struct buffer *out = &writing->out;
	size_t i;

	csv_put_number(out, sample != NULL ? sample->wall_us : NAN, ',');
	csv_put_number(out, sample != NULL ? sample->cpu_us : NAN, ',');
	csv_put_number(out, sample != NULL ? sample->flops : NAN, ',');
	for (i = 0; i < writing->name_count; i++)
		csv_put_number(out, sample != NULL ? value_of(sample, writing->names[i]) : NAN, ',');
}

static void
put_process(struct buffer *out, const struct record *record, const struct reading *reading,
	    const char *sha256)
{
	csv_put_number(out, record->result.wall_us, ',');
	csv_put_number(out, record->result.user_us, ',');
	csv_put_number(out, record->result.sys_us, ',');
	csv_put_integer(out, record->result.max_rss_kib, ',');
	csv_put_integer(out, record->result.voluntary_switches, ',');
	csv_put_integer(out, record->result.involuntary_switches, ',');
	csv_put_integer(out, record->result.leftovers, ',');
	csv_put_text(out, reading->check != NULL ? reading->check : "", ',');
	csv_put_text(out, sha256, '\n');
}

/* Of a group that went wrong itself, its items tell nothing more. */
static size_t
failed_items(const struct record *record, const struct reading *reading)
{
	return strcmp(record->status, "ok") == 0 ? reading->failure_count : 0;
}

static void
put_row(struct writing *writing, const struct record *record, const struct reading *reading,
	const struct row *row, bool used, const char *sha256)
{
	put_place(writing, record, reading, row, used);
	put_values(writing, row->sample);
	put_process(&writing->out, record, reading, sha256);
}

static void
put_record(struct writing *writing, const struct record *record, const struct reading *reading,
	   bool used)
{
	size_t failed = failed_items(record, reading), i;
	struct row row = {"", record->status, record->reason, 0, NULL};
	char sha256[DIGEST_SHA256_HEX];

	if (reading->problem != NULL && strcmp(record->status, "ok") == 0) {
		row.status = "invalid"; /* what is asked of the output changed since */
		row.reason = reading->problem;
	}
	digest_bytes(DIGEST_SHA256, record->stdout_bytes, record->stdout_length, sha256);
	if (reading->count == 0 && failed == 0)
		put_row(writing, record, reading, &row, used, sha256);
	for (i = 0; i < reading->count; i++) {
		row.sample = &reading->samples[i];
		row.item = row.sample->item;
		row.number = i + 1;
		put_row(writing, record, reading, &row, used, sha256);
	}
	for (i = 0; i < failed; i++) {
		row = (struct row){reading->failures[i].item, "failed", reading->failures[i].reason, 0, NULL};
		put_row(writing, record, reading, &row, used, sha256);
	}
}

static const volatile int *interrupted; /* samples_interrupted_by */

void
samples_interrupted_by(const volatile int *flag)
{
	interrupted = flag;
}

static bool
is_interrupted(void)
{
	return interrupted != NULL && *interrupted;
}

static void
read_all(struct writing *writing)
{
	size_t s, r;

	writing->readings = memory_zeroed(writing->store->session_count, sizeof *writing->readings);
	for (s = 0; s < writing->store->session_count; s++) {
		const struct store_session *session = &writing->store->sessions[s];

		writing->readings[s] = memory_zeroed(session->record_count, sizeof **writing->readings);
		for (r = 0; r < session->record_count && !is_interrupted(); r++)
			writing->reader->read(writing->plan, &session->records[r],
					      &writing->readings[s][r]);
	}
}

/* Whoever cannot have the program cannot say what it would do now: no number of it is told. */
static bool
is_skipped(const struct plan *plan, const struct record *record)
{
	return record->treatment >= 0 && (size_t)record->treatment <= plan->treatment_count &&
	       plan->treatment_count > 0 && plan_treatment(plan, record->treatment)->skipped != NULL;
}

static void
put_all(struct writing *writing)
{
	bool **used = find_used(writing);
	size_t s, r;

	put_header(writing);
	counts_put_header(&writing->counts);
	for (s = 0; s < writing->store->session_count; s++)
		for (r = 0; r < writing->store->sessions[s].record_count; r++)
			if (!is_skipped(writing->plan, &writing->store->sessions[s].records[r])) {
				put_record(writing, &writing->store->sessions[s].records[r],
					   &writing->readings[s][r], used[s][r]);
				counts_put(&writing->counts, writing->plan,
					   &writing->store->sessions[s].records[r],
					   &writing->readings[s][r], used[s][r]);
			}
	free_used(writing, used);
}

static void
fill_use(const struct writing *writing, struct samples_use *use)
{
	size_t s;

	use->regime_problem = regime_problem(writing);
	use->regime = memory_copy_text(writing->regime != NULL ? writing->regime : "");
	use->sessions = memory_zeroed(writing->store->session_count, sizeof *use->sessions);
	for (s = 0; s < writing->store->session_count; s++)
		use->sessions[s].orphans =
			count_orphans(&writing->store->sessions[s], &writing->schedule);
}

static void
end_writing(struct writing *writing)
{
	size_t s, r;

	for (s = 0; s < writing->store->session_count; s++) {
		for (r = 0; r < writing->store->sessions[s].record_count; r++)
			reading_free(&writing->readings[s][r]);
		free(writing->readings[s]);
	}
	free(writing->readings);
	free(writing->names);
	schedule_free(&writing->schedule);
	buffer_free(&writing->out);
	buffer_free(&writing->counts);
}

char *
samples_counters_path(const char *samples)
{
	return memory_format("%.*s.counters.csv", (int)(strlen(samples) - strlen(".csv")), samples);
}

static int
write_counts(const struct writing *writing, const char *samples, struct error *error)
{
	char *path;
	int result;

	if (writing->plan->counters.count == 0)
		return 0;
	path = samples_counters_path(samples);
	result = file_write(path, writing->counts.bytes, writing->counts.length, FILE_IF_CHANGED, error);
	free(path);
	return result;
}

int
samples_write(const struct store_case *store, const struct plan *plan, const char *path,
	      struct samples_use *use, struct error *error)
{
	struct writing writing = {.store = store, .plan = plan};
	const struct chunk *chunks;
	size_t count;
	int result;

	if (use != NULL)
		memset(use, 0, sizeof *use);
	writing.reader = reader_find(plan->reader);
	if (writing.reader == NULL)
		return error_set(error, EXIT_BAD_INPUT, "case %s: no reader '%s'; there are 'protocol', "
				 "'process', 'google-benchmark' and 'patterns'", plan->case_id,
				 plan->reader);
	chunks = store_chunks(store, &count);
	schedule_build(plan, chunks, count, &writing.schedule);
	writing.regime = store_regime(store, &writing.schedule);
	read_all(&writing);
	if (is_interrupted()) {
		result = error_set(error, EXIT_INTERRUPTED, "interrupted");
	} else {
		collect_names(&writing);
		put_all(&writing);
		result = file_write(path, writing.out.bytes, writing.out.length, FILE_IF_CHANGED, error);
		if (result == 0)
			result = write_counts(&writing, path, error);
	}
	if (result == 0 && use != NULL)
		fill_use(&writing, use);
	end_writing(&writing);
	return result;
}

void
samples_use_free(struct samples_use *use)
{
	free(use->regime_problem);
	free(use->regime);
	free(use->sessions);
	memset(use, 0, sizeof *use);
}
