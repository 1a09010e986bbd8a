#!/bin/sh
# Makes data/lambda_virus.fa from Debian's package bowtie2-examples (apt-get install bowtie2-examples).
# The reads of that package, which are not kept here, can be searched too:
#   zcat /usr/share/doc/bowtie2/examples/reads/reads_1.fq.gz > reads_1.fq && mum --fastq reads_1.fq
set -eu
source=/usr/share/doc/bowtie2/examples/reference/lambda_virus.fa.gz
target=$(dirname "$0")/data/lambda_virus.fa
{
  echo ">NC_001416.1 Enterobacteria phage lambda, complete genome"
  zcat "$source" | grep -v '^>' | tr -d '\r'
} > "$target"
