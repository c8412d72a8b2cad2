import { randomUUID } from 'node:crypto'
import { beforeAll } from 'vitest'
import { hooksAt } from '../../demo/messages/hooks.ts'
import { insertContact } from '../factories.ts'
import { type TestServer, useServer } from '../server.ts'

export const hookPassword = 'hook-password-of-the-tests'

/** A server that receives email from the Postmark simulator's webhooks. */
export function useInbox(settings: Record<string, string> = {}): TestServer {
  const server = useServer({
    POSTMARK_HOOK_PASSWORD: hookPassword,
    MAIL_REPLY_TO: 'team@inbound.example',
    HOOKS_PER_MINUTE: '100000',
    ...settings,
  })
  beforeAll(() => {
    server.outbox.setHooks(hooksAt(server.url, hookPassword))
  })
  return server
}

/** Creates a patient with a unique email address. */
export async function createPatient(server: TestServer): Promise<{ id: string; email: string }> {
  const email = `${randomUUID()}@fastmail.example`
  return { id: await insertContact(server, { email }), email }
}
