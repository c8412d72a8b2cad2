import type { TestServer } from './server.ts'
import { until } from './until.ts'

/** The mails that have reached an address, newest first, once there are `count`. */
export const mailsTo = (server: TestServer, address: string, count = 1) =>
  until(() => {
    const mails = server.outbox.messages.filter((mail) => mail.To?.toLowerCase().includes(address.toLowerCase()))
    return mails.length >= count && mails
  })

/** The link of the newest mail to an address. */
export async function linkMailedTo(server: TestServer, address: string, count = 1): Promise<URL> {
  const [mail] = await mailsTo(server, address, count)
  return new URL(/^https?:\S+$/m.exec(mail?.TextBody ?? '')?.[0] ?? '')
}

export const tokenOf = (link: URL): string => link.searchParams.get('token') ?? ''
