# The image of a release: docker build -t refyne . The second stage has no npm, no compiler and no package of development.
ARG BUILD_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY scripts/complete-lock.mjs scripts/trim-install.mjs scripts/
COPY scripts/bundled-node scripts/bundled-node
COPY scripts/typescript-5 scripts/typescript-5
RUN npm ci
COPY . .
# The commit's time in seconds, so that the same commit makes the same archive.
ARG SOURCE_DATE_EPOCH=0
RUN npm run release && mkdir /app && tar -xzf dist/release/*.tar.gz -C /app --strip-components=1

FROM ${BASE_IMAGE}
COPY --from=build /app /app
# /data is the only folder that is written to, besides /tmp: the root file system can be read-only.
RUN useradd --uid 10001 --user-group --home-dir /data --shell /usr/sbin/nologin refyne && install -d -m 750 -o refyne -g refyne /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 10001:10001
WORKDIR /app
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/app/node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/app/refyne"]
