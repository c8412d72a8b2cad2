import { randomBytes, randomUUID } from 'node:crypto'
import { count } from 'drizzle-orm'
import { scanBytes } from '../../integrations/clamd/client.ts'
import { createPostmark, type SendFailureKind } from '../../integrations/postmark/client.ts'
import type { TextFailureKind } from '../../integrations/twilio/client.ts'
import { createStripe } from '../../integrations/stripe/client.ts'
import type { StripeFailureKind } from '../../integrations/stripe/failure.ts'
import { requestTimestamp, type TimestampFailure } from '../../integrations/timestamp-authority/client.ts'
import { describeError } from '../../kernel/errors.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import type { Context } from '../../platform/context.ts'
import { formatPhone } from '../../shared/phone.ts'
import { senderOf } from '../../platform/mail/rules.ts'
import { readCardSetup, takesCards } from '../../billing/cards/service.ts'
import { textingOf } from '../../messages/inbox/service.ts'
import { testMailboxes } from '../../messages/mailbox/service.ts'
import { mailboxConnections } from '../../messages/mailbox/table.ts'
import type { Connection, System } from './contract.ts'
import type { Outcome } from '../../platform/connection-tests/contract.ts'

/** How long a test waits for a response. */
const timeoutSeconds = 10

const isSetUp = ({ env }: Pick<Scope, 'env'>): Record<System, boolean> => ({
  postmark: env.POSTMARK_TOKEN !== undefined,
  twilio: env.TWILIO_ACCOUNT_SID !== undefined,
  stripe: takesCards(env),
  // Defaults to a folder on the server.
  storage: true,
  clamd: env.CLAMD_URL !== undefined,
  timestamps: env.TSA_URL !== undefined,
  mailboxes: (env.NYLAS_CLIENT_ID !== undefined && env.NYLAS_API_KEY !== undefined) || env.GMAIL_CLIENT_ID !== undefined,
})

export async function listConnections(scope: Scope): Promise<Connection[]> {
  const [rows, cards] = await Promise.all([
    scope.db.select({ state: mailboxConnections.state, n: count() }).from(mailboxConnections).groupBy(mailboxConnections.state),
    readCardSetup(scope),
  ])
  const countInState = (wanted: string) => rows.find(({ state }) => state === wanted)?.n ?? 0
  const setUp = isSetUp(scope)
  return (Object.keys(setUp) as System[]).map((system) => ({
    system,
    isSetUp: setUp[system],
    connected: system === 'mailboxes' ? countInState('connected') : null,
    broken: system === 'mailboxes' ? countInState('reconnect') : null,
    cards: system === 'stripe' ? cards : null,
  }))
}

/** Runs a real operation against the system and returns the outcome. An outage is an outcome, not an exception. */
export async function testConnection(scope: Scope & Pick<Context, 'attempts'>, system: System) {
  if (!(await scope.attempts.consume('connectionTest', `${staff(scope).id} ${system}`))) return refuse('TOO_MANY_REQUESTS')
  if (!isSetUp(scope)[system]) return refuse('NOT_SET_UP')
  const outcome = await tests[system](scope)
  // Don't log the message: it may name a staff member.
  if (!outcome.isOk) scope.log.warn({ requestId: scope.origin.requestId, system }, 'A connected system failed its test')
  return outcome
}

const success = (message: string): Outcome => ({ isOk: true, message, advice: null })
const failure = (message: string, advice: string): Outcome => ({ isOk: false, message, advice })

const tests: Record<System, (scope: Scope) => Promise<Outcome>> = {
  postmark,
  twilio,
  stripe,
  storage: testStorage,
  clamd,
  timestamps,
  mailboxes: testMailboxes,
}

const postmarkAdvice: Record<SendFailureKind, string> = {
  'invalid-key': 'Set POSTMARK_TOKEN to your Postmark server token, and restart Refyne.',
  'inactive-recipient': 'Your own address has bounced before. Reactivate it in Postmark.',
  'invalid-request': 'Confirm the sender address as a sender signature in Postmark, or choose another one under Practice.',
  'rate-limit': 'Wait a minute and try again. Queued emails are sent automatically.',
  server: 'Postmark has an outage. Queued emails are sent automatically when it recovers.',
  unavailable: 'Postmark is unavailable. Queued emails are sent automatically when it recovers.',
  network: 'The server cannot reach Postmark. Check its internet connection and firewall.',
  unknown: 'Check the server’s activity in Postmark.',
}

/** Sends an email to the administrator: no other call shows whether the sender's address is confirmed. */
async function postmark(scope: Scope): Promise<Outcome> {
  const { env } = scope
  const to = staff(scope).email
  const mailer = createPostmark({
    token: env.POSTMARK_TOKEN,
    timeoutSeconds,
    ...(env.POSTMARK_URL && { baseUrl: env.POSTMARK_URL }),
  })
  const sent = await mailer.send({
    from: senderOf(env),
    to,
    subject: `Test email from ${env.PRACTICE_NAME}`,
    textBody: 'This test email was sent from Settings, Integrations. If you can read it, sending email works.',
    replyTo: env.MAIL_REPLY_TO,
  })
  if (sent.ok) return success(`Postmark accepted an email from ${env.MAIL_FROM} to ${to}.`)
  return failure(sent.kind === 'network' ? 'Postmark did not respond.' : 'Postmark refused the email.', postmarkAdvice[sent.kind])
}

const twilioAdvice: Record<TextFailureKind, string> = {
  credentials: 'Set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN to those shown in Twilio’s console, and restart Refyne.',
  'rate-limit': 'Wait a minute and try again. Queued text messages are sent automatically.',
  unavailable: 'Twilio is unavailable. Queued text messages are sent automatically when it recovers.',
  unreachable: 'The server cannot reach Twilio. Check its internet connection, firewall and TWILIO_URL.',
  stopped: 'Check the account in Twilio’s console.',
  'invalid-number': 'Check the account in Twilio’s console.',
  refused: 'Check the account in Twilio’s console.',
  unknown: 'The server did not get an answer that it can read. Check its internet connection and firewall.',
}

/** Asks for the account's balance: no text is sent. */
async function twilio({ env }: Scope): Promise<Outcome> {
  const asked = await textingOf(env, { timeoutSeconds })!.client.balance()
  if (!asked.ok)
    return failure(asked.kind === 'credentials' ? 'Twilio refused the token.' : 'Twilio did not respond.', twilioAdvice[asked.kind])
  const sender = env.TWILIO_MESSAGING_SERVICE ? `the messaging service ${env.TWILIO_MESSAGING_SERVICE}` : formatPhone(env.TWILIO_NUMBER!)
  const balance = new Intl.NumberFormat('en-CA', { style: 'currency', currency: asked.currency }).format(Number(asked.balance))
  return success(`Twilio accepted the token. Texts are sent from ${sender}. The account’s balance is ${balance}.`)
}

const stripeAdvice: Record<StripeFailureKind, string> = {
  credentials: 'Set STRIPE_SECRET_KEY to the secret key of your Stripe account, and restart Refyne.',
  'rate-limit': 'Wait a minute and try again.',
  unavailable: 'Stripe is unavailable. Payments that are under way are followed up automatically.',
  unreachable: 'The server cannot reach Stripe. Check its internet connection, firewall and STRIPE_URL.',
  refused: 'Check the account in Stripe’s dashboard.',
  declined: 'Check the account in Stripe’s dashboard.',
  unknown: 'The server did not get an answer that it can read. Check its internet connection and firewall.',
}

/** Asks for the account's balance: nothing is charged. */
async function stripe({ env }: Scope): Promise<Outcome> {
  const { STRIPE_SECRET_KEY, STRIPE_URL: baseUrl, STRIPE_WEBHOOK_SECRET } = env
  const asked = await createStripe({ secretKey: STRIPE_SECRET_KEY!, baseUrl, timeoutSeconds }).balance()
  if (!asked.ok)
    return failure(asked.kind === 'credentials' ? 'Stripe refused the secret key.' : 'Stripe did not respond.', stripeAdvice[asked.kind])
  if (STRIPE_WEBHOOK_SECRET === undefined)
    return failure(
      'Stripe accepted the secret key, but its events are not accepted here.',
      'Set STRIPE_WEBHOOK_SECRET, and restart Refyne.',
    )
  const formatSums = (sums: { amount: number; currency: string }[]) =>
    sums
      .map(({ amount, currency }) => new Intl.NumberFormat('en-CA', { style: 'currency', currency }).format(amount / 100).replace('-', '−'))
      .join(' and ') || '$0.00'
  const { available, pending } = asked.value
  return success(`Stripe accepted the secret key. The account’s balance is ${formatSums(available)}, with ${formatSums(pending)} pending.`)
}

/** Writes, reads and deletes a file. */
export async function testStorage({ files, env, log }: Scope): Promise<Outcome> {
  const key = `probes/${randomUUID()}`
  const sent = Buffer.from(randomUUID())
  const advice =
    env.FILES === 's3'
      ? 'Check S3_BUCKET, S3_ENDPOINT and the key’s permissions to read, write and delete.'
      : 'Check the free space and permissions of the DATA_DIR folder.'
  try {
    const bytes = (async function* () {
      yield sent
    })()
    await files.put(key, bytes, { size: sent.byteLength, signal: AbortSignal.timeout(timeoutSeconds * 1000) })
    const stored = await files.get(key)
    const received = stored && Buffer.from(await new Response(stored.bytes).arrayBuffer())
    await files.delete(key)
    if (!received?.equals(sent)) return failure('The file read back differs from the file written.', advice)
    return success('A file was written, read and deleted.')
  } catch (error) {
    log.warn({ error: describeError(error) }, 'File storage failed its test')
    return failure('A file could not be written, read and deleted.', advice)
  }
}

/** The test file that every scanner must detect (eicar.org), joined here so that no scanner flags this source file. */
const testFile = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

async function clamd({ env }: Scope): Promise<Outcome> {
  const scanText = (text: string) =>
    scanBytes(
      env.CLAMD_URL!,
      (async function* () {
        yield Buffer.from(text)
      })(),
      timeoutSeconds * 1000,
    )
  try {
    if ((await scanText('Nothing to see here')).isInfected)
      return failure('The scanner reports harmless text as a virus.', 'Check its signatures.')
    if (!(await scanText(testFile)).isInfected)
      return failure('The scanner does not detect the test virus.', 'Load its signatures: run freshclam and restart clamd.')
    return success('The scanner detects the test virus and passes harmless text.')
  } catch {
    return failure('The scanner did not respond.', 'Start clamd and check CLAMD_URL. Waiting documents are scanned once it is available.')
  }
}

const timestampAdvice: Record<TimestampFailure['kind'], string> = {
  away: 'Check TSA_URL and the server’s internet connection. PDFs are sealed without a time-stamp and get it later.',
  refused: 'Check TSA_URL, and whether the authority serves you. PDFs are sealed without a time-stamp and get it later.',
  unreadable: 'Check TSA_URL, or use another authority: its answer is not a valid time-stamp of what was sent.',
}

/** Asks for a time-stamp of random bytes. */
async function timestamps({ env }: Scope): Promise<Outcome> {
  const answer = await requestTimestamp({ url: env.TSA_URL!, timeoutMs: timeoutSeconds * 1000 }, randomBytes(32))
  if (answer.ok) return success(`${answer.timestamp.authority} gave a valid time-stamp.`)
  return failure('The authority gave no time-stamp.', timestampAdvice[answer.kind])
}
