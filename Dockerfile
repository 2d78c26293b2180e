# FlashScope's command line, without installing anything on the host:
#   docker build -t flashscope .
#   docker run --rm flashscope simulate --seqlen 4096
#   docker run --rm --volume "$PWD:/here" --workdir /here flashscope demo      # leaves its files here
# The launcher installs the packages that cmake/packages.txt names, and no others.
FROM debian:bookworm-slim
COPY . /flashscope
RUN /flashscope/flashscope build flashscope flashscope-kernels flashscope-explorer
RUN rm -rf /var/lib/apt/lists/*
ENTRYPOINT ["/flashscope/flashscope"]
