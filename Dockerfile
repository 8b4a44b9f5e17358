# Two stages, because only the build needs the tools, npm and a compiler.
# Pin the digests in your own build: `docker buildx imagetools inspect node:24-bookworm-slim` tells the one of the build, whose Node goes into the
# image too, and likewise for the system below it: `docker build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
# --build-arg BASE_IMAGE=debian:bookworm-slim@sha256:… .` Both of one Debian. `ops/try-image.sh` builds it without Docker.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without the workspace lab/, which measures and attacks the product.
RUN npm ci --ignore-scripts --workspaces=false
COPY tsconfig.json tsconfig.base.json vite.config.ts build.ts ./
COPY build ./build
COPY shared ./shared
COPY models ./models
COPY workers ./workers
COPY web ./web
COPY server ./server
# The client's package contains the licence and the API document.
COPY LICENSE ./
COPY docs ./docs
RUN npm run build
COPY README.md CHANGELOG.md SECURITY.md ./
COPY examples ./examples
COPY ops ./ops
# What "npm run release -- --pack" packs.
RUN npm run release -- --unpacked /selfsame

FROM ${BASE_IMAGE}
# glibc keeps pictures' memory in pieces unless large blocks go back to the system: docs/operate.md ("Memory").
ENV MALLOC_MMAP_THRESHOLD_=131072 MALLOC_ARENA_MAX=2
# The server disables the telemetry of onnxruntime-node by itself; this covers every other program in the image.
ENV NODE_ENV=production ORT_DISABLE_TELEMETRY=1 HOST=0.0.0.0 DATA_DIR=/data LOG_LEVEL=info
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/sh --create-home node \
  && mkdir /data /journal && chown node:node /data /journal && chmod 700 /data /journal
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /usr/local/LICENSE /usr/local/LICENSE
WORKDIR /app
COPY --from=build /selfsame ./
USER node
VOLUME /data
EXPOSE 8080
# parseInt reads the first port of either setting.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + parseInt(process.env.LISTEN ?? process.env.PORT ?? 8080) + '/v1/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between, so that signals reach the server itself.
CMD ["node", "dist/server/main.js"]
