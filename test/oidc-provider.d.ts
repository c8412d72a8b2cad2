/** The parts of oidc-provider that test/oidc.ts uses; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }
  interface Context {
    path: string
    body: unknown
    oidc?: { route: string; client?: { clientId: string }; session?: { accountId?: string } }
  }
  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    proxy: boolean
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    AuthorizationCode: { prototype: object }
    Grant: new (of: { accountId: string | undefined; clientId: string | undefined }) => Grant
  }
}
