watermark "x" {}
