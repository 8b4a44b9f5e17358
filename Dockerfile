# Two stages: the build needs the tools, what runs needs neither them nor a compiler.
# Pin the digest in your own build: `docker buildx imagetools inspect node:24-bookworm-slim` tells it, and
# `docker build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… .` uses it for both stages.
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.base.json vite.config.ts build.ts ./
COPY build ./build
COPY shared ./shared
COPY models ./models
COPY workers ./workers
COPY web ./web
COPY server ./server
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
# The server refuses the telemetry of onnxruntime-node by itself; so does whatever else is run in this image.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data LOG_LEVEL=info ORT_DISABLE_TELEMETRY=1
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/models/weights ./models/weights
COPY docs ./docs
RUN mkdir /data /journal && chown node:node /data /journal && chmod 700 /data /journal
USER node
VOLUME /data
EXPOSE 8080
# The first port, which every way of setting it begins with.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + parseInt(process.env.LISTEN ?? process.env.PORT ?? 8080) + '/v1/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between, so that signals reach the server itself.
CMD ["node", "dist/server/main.js"]
