/** Made by vite.config.ts from src/app/contract.ts: each call's method and path. */
declare module 'virtual:api-routes' {
  export const routes: import('@orpc/contract').AnyContractRouter
}

/** Made by vite.config.ts: the folder of what the PDF viewer asks for while it draws. */
declare const __PDF_FILES__: string
