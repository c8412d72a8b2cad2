/** Made by vite.config.ts from src/features/api/contract.ts: each call's method and path. */
declare module 'virtual:api-routes' {
  export const routes: import('@orpc/contract').AnyContractRouter
}
