/** Made by vite.config.ts from src/app/contract.ts: each call as 'GET /contacts', in groups as there. */
declare module 'virtual:api-routes' {
  export interface Routes {
    readonly [name: string]: string | Routes
  }
  export const routes: Routes
}

/** Made by vite.config.ts: the folder of what the PDF viewer asks for while it draws. */
declare const __PDF_FILES__: string

/** Made by vite.config.ts from docs/guide. */
declare module 'virtual:guide' {
  export const pages: readonly import('../help/rules.ts').GuidePage[]
}
