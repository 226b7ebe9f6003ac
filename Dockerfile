# One image for all programs of Portage. The API is the default command; the others are run by their script:
#   docker build --tag portage .
#   docker run portage dist/apps/worker/src/main.js
#   docker run portage dist/apps/cli/src/migrate.js
#   docker run portage dist/apps/cli/src/main.js organisation list
# By digest, so that two builds of a commit start from the same files. Dependabot proposes newer ones.
ARG NODE_IMAGE=node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

FROM ${NODE_IMAGE} AS build
WORKDIR /portage
COPY package.json package-lock.json .npmrc ./
# The packages of the console's build are those of its workspace.
COPY apps/console/package.json apps/console/
RUN npm ci --ignore-scripts --loglevel=error
COPY nest-cli.json .swcrc tsconfig.json ./
COPY scripts scripts
COPY libs libs
COPY apps apps
COPY packages packages
RUN npm run build && node scripts/collect-packages.mjs /runtime

FROM ${NODE_IMAGE}
ENV NODE_ENV=production API_HOST=0.0.0.0 WORKER_HOST=0.0.0.0
# Without a limit V8 sizes the heap by the memory of the machine, and collects garbage late on a large one.
ENV NODE_OPTIONS=--max-old-space-size=512
WORKDIR /portage
COPY package.json ./
COPY --from=build /runtime/node_modules node_modules
COPY --from=build /portage/dist dist
COPY deploy/health-check.mjs deploy/generate-secrets.mjs deploy/
# A numeric user lets Kubernetes verify that it is not root. Nothing is written to the file system.
USER 1000:1000
EXPOSE 3000 3001
# Checks both programs: the API answers on the first port, the worker on the second.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "deploy/health-check.mjs", "http://127.0.0.1:3000/health/ready", "http://127.0.0.1:3001/health/ready"]
# Without a shell, SIGTERM reaches Node, which also drains as process 1.
ENTRYPOINT ["node"]
CMD ["dist/apps/api/src/main.js"]
