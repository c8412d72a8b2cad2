import { randomUUID } from 'node:crypto'
import { count } from 'drizzle-orm'
import { scanBytes } from '../../integrations/clamd/client.ts'
import { createPostmark, type SendFailureKind } from '../../integrations/postmark/client.ts'
import { describeError } from '../../kernel/errors.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import type { Context } from '../../platform/context.ts'
import { senderOf } from '../../platform/mail/rules.ts'
import { testMailboxes } from '../../messages/mailbox/service.ts'
import { mailboxConnections } from '../../messages/mailbox/table.ts'
import type { Connection, System } from './contract.ts'
import type { Outcome } from '../../platform/connection-tests/contract.ts'

/** How long someone waits for an answer, in seconds. */
const patience = 10

const isSetUp = ({ env }: Pick<Scope, 'env'>): Record<System, boolean> => ({
  postmark: env.POSTMARK_TOKEN !== undefined,
  // It is a folder of the server where nothing else is set.
  storage: true,
  clamd: env.CLAMD_URL !== undefined,
  mailboxes: (env.NYLAS_CLIENT_ID !== undefined && env.NYLAS_API_KEY !== undefined) || env.GMAIL_CLIENT_ID !== undefined,
})

export async function listConnections(scope: Scope): Promise<Connection[]> {
  const rows = await scope.db
    .select({ state: mailboxConnections.state, n: count() })
    .from(mailboxConnections)
    .groupBy(mailboxConnections.state)
  const inState = (wanted: string) => rows.find(({ state }) => state === wanted)?.n ?? 0
  const ready = isSetUp(scope)
  return (Object.keys(ready) as System[]).map((system) => ({
    system,
    isSetUp: ready[system],
    connected: system === 'mailboxes' ? inState('connected') : null,
    broken: system === 'mailboxes' ? inState('reconnect') : null,
  }))
}

/** Asks the system to do what it is there for, and says what came of it. It never throws for an outage. */
export async function testConnection(scope: Scope & Pick<Context, 'attempts'>, system: System) {
  if (!(await scope.attempts.consume('connectionTest', `${staff(scope).id} ${system}`))) return refuse('TOO_MANY_REQUESTS')
  if (!isSetUp(scope)[system]) return refuse('NOT_SET_UP')
  const outcome = await tests[system](scope)
  // What is said may name someone of the staff.
  if (!outcome.isOk) scope.log.warn({ requestId: scope.origin.requestId, system }, 'A connected system failed its test')
  return outcome
}

const fine = (said: string): Outcome => ({ isOk: true, said, advice: null })
const wrong = (said: string, advice: string): Outcome => ({ isOk: false, said, advice })

const tests: Record<System, (scope: Scope) => Promise<Outcome>> = { postmark, storage, clamd, mailboxes: testMailboxes }

const afterPostmark: Record<SendFailureKind, string> = {
  'invalid-key': 'Set POSTMARK_TOKEN to the token of the server at Postmark, and start Refyne again.',
  'inactive-recipient': 'Your own address has bounced before: make it active again at Postmark.',
  'invalid-request': 'Confirm the address that email is sent from as a sender signature at Postmark, or choose another under Practice.',
  'rate-limit': 'Wait a minute and try again. Waiting email is sent automatically.',
  server: 'Postmark has a fault. Waiting email is sent automatically once it is over.',
  unavailable: 'Postmark is not available. Waiting email is sent automatically once it is back.',
  network: 'The server cannot reach Postmark. Check its internet connection and firewall.',
  unknown: 'Check the server’s activity in Postmark.',
}

/** A mail to anyone who asks: no other question tells whether the sender's address is confirmed. */
async function postmark(scope: Scope): Promise<Outcome> {
  const { env } = scope
  const to = staff(scope).email
  const mailer = createPostmark({
    token: env.POSTMARK_TOKEN,
    timeoutSeconds: patience,
    ...(env.POSTMARK_URL && { baseUrl: env.POSTMARK_URL }),
  })
  const sent = await mailer.send({
    from: senderOf(env),
    to,
    subject: `A test from ${env.PRACTICE_NAME}`,
    textBody: 'This test email was sent from Settings, Integrations. If you can read it, sending works.',
    replyTo: env.MAIL_REPLY_TO,
  })
  if (sent.ok) return fine(`Postmark took an email from ${env.MAIL_FROM} to ${to}.`)
  return wrong(sent.kind === 'network' ? 'Postmark did not answer.' : 'Postmark refused the email.', afterPostmark[sent.kind])
}

/** Bytes are kept, read and deleted again. */
async function storage({ files, env, log }: Scope): Promise<Outcome> {
  const key = `probes/${randomUUID()}`
  const sent = Buffer.from(randomUUID())
  const advice =
    env.FILES === 's3'
      ? 'Check S3_BUCKET, S3_ENDPOINT and the key’s permissions to read, write and delete.'
      : 'Check the free space and permissions of the folder that DATA_DIR names.'
  try {
    const bytes = (async function* () {
      yield sent
    })()
    await files.put(key, bytes, { size: sent.byteLength, signal: AbortSignal.timeout(patience * 1000) })
    const kept = await files.get(key)
    const back = kept && Buffer.from(await new Response(kept.bytes).arrayBuffer())
    await files.delete(key)
    if (!back?.equals(sent)) return wrong('What was read is not what was written.', advice)
    return fine('A file was written, read and deleted.')
  } catch (error) {
    log.warn({ error: describeError(error) }, 'File storage failed its test')
    return wrong('A file could not be written, read and deleted.', advice)
  }
}

/** The test file that every scanner has to find (eicar.org), put together here so that no scanner finds it in this one. */
const testFile = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

async function clamd({ env }: Scope): Promise<Outcome> {
  const verdictOn = (text: string) =>
    scanBytes(
      env.CLAMD_URL!,
      (async function* () {
        yield Buffer.from(text)
      })(),
      patience * 1000,
    )
  try {
    if ((await verdictOn('Nothing to see here')).isInfected) return wrong('It reports harmless text as a virus.', 'Check its signatures.')
    if (!(await verdictOn(testFile)).isInfected)
      return wrong('It does not find the test virus.', 'Let it load its signatures: run freshclam, and start clamd again.')
    return fine('It finds the test virus, and nothing in harmless text.')
  } catch {
    return wrong('The scanner did not answer.', 'Start clamd and check CLAMD_URL. Documents wait until it is back and are scanned then.')
  }
}
