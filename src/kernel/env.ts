import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { urlsOf } from './postgres/hosts.ts'
import { asDomain, domainProblem } from '../shared/domains.ts'
import { toHstNumber } from '../shared/hst-number.ts'
import { type Role, roles } from './access/rules.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')
const count = (fallback: number) => z.coerce.number().int().min(1).max(10_000_000).default(fallback)
const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )

/** A URL with one or several hosts: postgresql://user@one,two/refyne. */
const databaseUrl = z
  .string()
  .refine(
    (value) => {
      const urls = urlsOf(value)
      return urls.length <= maxHosts && urls.every((url) => z.url({ protocol: /^postgres(ql)?$/ }).safeParse(url).success)
    },
    { error: 'must be a URL such as postgresql://user:password@host:5432/refyne; several hosts are separated by commas', abort: true },
  )
  // A URL without a host cannot hold another role: the application would connect as the owner.
  .refine(
    (value) => urlsOf(value).every((url) => new URL(url).host !== ''),
    'has no host. For a Unix socket, name its folder like this: postgresql://user@localhost/refyne?host=/run/postgresql',
  )
const maxHosts = 10

/** Email domains of the practice: never one where anyone can get an address. */
const ownDomains = list
  .transform((domains) => domains.map(asDomain))
  .superRefine((domains, issue) => {
    const problem = domains.map(domainProblem).find((one) => one !== null)
    if (problem) issue.addIssue({ code: 'custom', message: `cannot be used. ${problem}` })
  })

/** `group=role` pairs; the first group that someone is in decides. */
const groupRoles = list.transform((pairs, issue) =>
  pairs.map((pair) => {
    const at = pair.lastIndexOf('=')
    const [group, role] = [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()]
    if (group === '' || !roles.includes(role as Role))
      issue.addIssue({ code: 'custom', message: `must be pairs like clinic-admins=admin, with one of the roles ${roles.join(', ')}` })
    return { group, role: role as Role }
  }),
)

/** The address of a website without a path, as a browser names it in `Origin`. */
const isOrigin = (text: string): boolean => URL.parse(text)?.origin === text && /^https?:/.test(text)

const isLoopback = (url: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
/** Microsoft's addresses for accounts of every organization: their ID tokens say nothing about the practice. */
const isSharedTenant = (url: string): boolean => /^\/(common|organizations|consumers)(\/|$)/i.test(new URL(url).pathname)

const weakSecrets = /^(change-?me|secret|password|default|example|test|development)/i

/** A secret that is hard to guess: at least 32 characters, at least 10 different ones, not a placeholder. */
const secret = z
  .string({ error: 'is missing. Set it to at least 32 random characters, for instance from: openssl rand -base64 48' })
  .refine(
    (value) => value.length >= 32 && new Set(value).size >= 10 && !weakSecrets.test(value),
    'is too weak. Set it to at least 32 random characters, for instance from: openssl rand -base64 48',
  )

/** Settings that FILES=s3 requires. */
const requiredForS3 = {
  S3_BUCKET: 'is missing. Set it to the bucket that keeps the documents, or set FILES=local',
  S3_ACCESS_KEY_ID: 'is missing. Set it to the id of a key that may read and write the bucket',
  S3_SECRET_ACCESS_KEY: 'is missing. Set it to the secret of the key that S3_ACCESS_KEY_ID names',
} as const

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 02:30')

const settings = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  ACCESS_LOG: flag,
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** The part of the requests and jobs that is traced. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  DATA_DIR: z
    .string()
    .min(1)
    .default(process.getuid?.() === 0 ? '/var/lib/refyne' : path.join(os.homedir(), '.refyne'))
    .transform((dir) => path.resolve(dir)),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_APP_URL: databaseUrl.optional(),
  /** Standbys, one for each host. */
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  REPLICA_LAG_SECONDS: z.coerce.number().min(0.1).max(600).default(5),
  DATABASE_APP_ROLE: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be a plain PostgreSQL role name')
    .default('refyne_app'),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  APP_SECRET: secret,
  OLD_APP_SECRETS: list,
  COMPANY_DOMAINS: ownDomains,
  /** Single sign-on with an OpenID Connect provider. */
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.startsWith('https:') || isLoopback(url), 'must be an https address')
    .refine(
      (url) => !isSharedTenant(url),
      "must name your own tenant, as in https://login.microsoftonline.com/TENANT-ID/v2.0: this one accepts everyone's accounts",
    )
    .optional(),
  OIDC_CLIENT_ID: z.string().default(''),
  OIDC_CLIENT_SECRET: z.string().default(''),
  /** The provider's name on the sign-in button. */
  OIDC_NAME: z.string().max(40).default('single sign-on'),
  OIDC_DOMAINS: ownDomains,
  OIDC_ROLES: groupRoles,
  OIDC_ONLY: flag,
  OIDC_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(60).default(10),
  PRACTICE_NAME: z.string().min(1).max(80).default('Refyne'),
  PRACTICE_SUBTITLE: z.string().max(80).default(''),
  /** In French, for patients who read it. Empty: the English one. */
  PRACTICE_SUBTITLE_FR: z.string().max(80).default(''),
  /** On one line; required in commercial email. */
  PRACTICE_ADDRESS: z.string().max(200).default(''),
  /** The most messages that campaigns and sequences together send a patient in seven days, over all channels. */
  MESSAGES_PER_WEEK: z.coerce.number().int().min(1).max(100).default(3),
  PRACTICE_PHONE: z.string().max(40).default(''),
  PRACTICE_HOURS: z.string().max(120).default(''),
  PRACTICE_HOURS_FR: z.string().max(120).default(''),
  /** The GST/HST registration number, required on receipts, statements and quotes. */
  PRACTICE_HST_NUMBER: z
    .string()
    .default('')
    .transform((typed, issue) => {
      const kept = typed === '' ? '' : toHstNumber(typed)
      if (kept === null) issue.addIssue({ code: 'custom', message: 'must be a GST/HST registration number such as 123456789 RT0001' })
      return kept ?? ''
    }),
  PRACTICE_TIME_ZONE: z
    .string()
    .default('America/Toronto')
    .refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone), 'must be a time zone such as America/Toronto'),
  BRAND_HUE: z.coerce.number().min(0).max(360).optional(),
  POSTMARK_TOKEN: z.string().min(1).optional(),
  POSTMARK_URL: z.url().optional(),
  /** The sender address. A display name given here is ignored: email is sent under the practice's name. */
  MAIL_FROM: z
    .string()
    .default('no-reply@refyne.example')
    .transform((value) => /<([^<>]*)>\s*$/.exec(value)?.[1] ?? value)
    .pipe(z.email('must be an email address')),
  MAIL_REPLY_TO: z.email('must be an email address').default('team@refyne.example'),
  /** The selector of the DKIM key of MAIL_FROM's domain, as Postmark shows it, by which campaigns look the key up. */
  DKIM_SELECTOR: z
    .string()
    .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)?$/i, 'must be the part before ._domainkey')
    .default(''),
  /** Name servers to ask instead of the system's, as address or address:port. */
  DNS_SERVERS: list.refine(
    (servers) => servers.every((server) => /^(?:[\d.]+|\[[\da-f:]+\])(?::\d{1,5})?$/i.test(server)),
    'must be IP addresses, each with a port where it is not 53',
  ),
  /** Minutes that a time is held for a patient who is booking it. */
  BOOKING_HOLD_MINUTES: z.coerce.number().int().min(2).max(60).default(10),
  /** How many patients of the waiting list are offered the same time at once; 0: staff make all offers. */
  WAITING_LIST_AT_ONCE: z.coerce.number().int().min(0).max(20).default(3),
  /** Minutes in which a patient may answer an offer. */
  WAITING_LIST_MINUTES: z.coerce.number().int().min(10).max(1440).default(120),
  /** Origins of websites that may show the booking page in a frame. */
  BOOKING_SITES: list.superRefine((sites, issue) => {
    if (!sites.every(isOrigin))
      issue.addIssue({ code: 'custom', message: 'must be addresses such as https://clinic.example, without a path' })
  }),
  /** Delay of appointment emails, so that changes that are undone at once are not announced. */
  APPOINTMENT_MAIL_SECONDS: z.coerce.number().int().min(0).max(3_600).default(30),
  POSTMARK_HOOK_PASSWORD: z.string().min(16, 'must have at least 16 characters').optional(),
  /** Text messages. The account is used with a number or a messaging service. */
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, 'must be an account SID: AC and 32 hexadecimal digits')
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  TWILIO_NUMBER: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number such as +19055550118')
    .optional(),
  TWILIO_MESSAGING_SERVICE: z
    .string()
    .regex(/^MG[0-9a-f]{32}$/, 'must be the SID of a messaging service: MG and 32 hexadecimal digits')
    .optional(),
  TWILIO_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Defaults of the practice's settings for automatic text messages: HH:mm in the patient's time zone, and in hundredths of a cent. */
  TEXT_QUIET_FROM: clockTime.default('21:00'),
  TEXT_QUIET_TO: clockTime.default('09:00'),
  TEXTS_PER_PATIENT: z.coerce.number().int().min(1).max(100).default(3),
  TEXTS_PER_DAY: z.coerce.number().int().min(1).max(1_000_000).default(2_000),
  /** ISO 3166-1 alpha-2 codes of the countries that texts are sent to. */
  TEXT_COUNTRIES: z
    .string()
    .regex(/^[A-Z]{2}(,[A-Z]{2})*$/, 'must be codes of countries such as CA,US')
    .default('CA,US')
    .transform((codes) => codes.split(',')),
  TEXT_SEGMENT_PRICE: z.coerce.number().int().min(0).max(10_000).default(79),
  HOOKS_PER_MINUTE: count(600),
  /** Calls per API key. */
  API_CALLS_PER_MINUTE: count(600),
  FILES: z.enum(['local', 's3']).default('local'),
  S3_BUCKET: z
    .string()
    .regex(/^[\w.-]{3,63}$/, 'must be the name of a bucket')
    .default(''),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().default(''),
  S3_SECRET_ACCESS_KEY: z.string().default(''),
  UPLOAD_STALL_SECONDS: z.coerce.number().min(1).max(600).default(30),
  PHOTO_ALERT_PATIENTS: z.coerce.number().int().min(0).max(10_000).default(20),
  PHOTO_WATERMARK: flag,
  CLAMD_URL: z
    .url({ protocol: /^(tcp|unix)$/ })
    .refine(
      (url) => /^(tcp:\/\/[^/:]+:\d+\/?|unix:(\/\/)?\/.+)$/.test(url),
      'must be like tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl',
    )
    .optional(),
  /** A time-stamp authority (RFC 3161) that confirms when PDFs were sealed. */
  TSA_URL: z.url({ protocol: /^https?$/ }).optional(),
  TSA_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(60).default(5),
  QUICKBOOKS_CLIENT_ID: z.string().min(1).optional(),
  QUICKBOOKS_CLIENT_SECRET: z.string().min(1).optional(),
  QUICKBOOKS_SANDBOX: flag,
  QUICKBOOKS_URL: z.url({ protocol: /^https?$/ }).optional(),
  QUICKBOOKS_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(180).default(30),
  QUICKBOOKS_TAX_CODE: z.string().min(1).max(100).default('HST ON'),
  /** Card payments. Patients pay by card once the secret and the publishable key are set. */
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[rs]k_(?:test|live)_\w+$/, 'must be a secret or restricted key: sk_live_… or rk_live_…')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(?:test|live)_\w+$/, 'must be the publishable key: pk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/, 'must be the signing secret of the endpoint: whsec_…')
    .optional(),
  STRIPE_URL: z.url({ protocol: /^https?$/ }).optional(),
  STRIPE_JS_URL: z.url({ protocol: /^https?$/ }).default('https://js.stripe.com/v3/'),
  STRIPE_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(80).default(30),
  /** Names in QuickBooks: what a card payment is recorded as, its tax code, and the account that Stripe's payouts leave. */
  CARD_PAYMENT_ITEM: z.string().min(1).max(100).default('Patient deposit'),
  CARD_PAYMENT_TAX_CODE: z.string().min(1).max(100).default('Out of Scope'),
  CARD_PAYMENT_ACCOUNT: z.string().min(1).max(100).default('Stripe clearing'),
  /** Names in QuickBooks: what gift cards, packages and store credit are sold as, and what the practice's goodwill is posted to. */
  GIFT_CARD_ITEM: z.string().min(1).max(100).default('Gift card'),
  PACKAGE_ITEM: z.string().min(1).max(100).default('Package'),
  STORE_CREDIT_ITEM: z.string().min(1).max(100).default('Store credit'),
  GOODWILL_ITEM: z.string().min(1).max(100).default('Goodwill'),
  FINANCING_FEE_ITEM: z.string().min(1).max(100).default('Financing fee'),
  /** Names of accounts in QuickBooks: where payouts arrive, and what Stripe's fees and disputed payments are posted to. */
  CARD_PAYOUT_ACCOUNT: z.string().min(1).max(100).default('Chequing'),
  CARD_FEE_ACCOUNT: z.string().min(1).max(100).default('Merchant fees'),
  CARD_DISPUTE_ACCOUNT: z.string().min(1).max(100).default('Merchant fees'),
  NYLAS_CLIENT_ID: z.string().min(1).optional(),
  NYLAS_API_KEY: z.string().min(1).optional(),
  NYLAS_URL: z.url({ protocol: /^https?$/ }).optional(),
  NYLAS_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  GMAIL_CLIENT_ID: z.string().min(1).optional(),
  GMAIL_CLIENT_SECRET: z.string().min(1).optional(),
  GMAIL_URL: z.url({ protocol: /^https?$/ }).optional(),
  MAILBOX_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(180).default(30),
  /** Inactivity after which users have to sign in again. */
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(2).max(600).default(15),
  /** Allows webhooks to this machine and over http, for the demo and tests. */
  WEBHOOKS_LOCAL: flag,
  TRUST_PROXY: flag,
  LEADS_PER_MINUTE_PER_KEY: count(1200),
  LEADS_PER_MINUTE_PER_ADDRESS: count(600),
  /** Where the server backs itself up to: a folder, or s3://bucket/prefix. */
  BACKUP_TO: z.string().min(1).optional(),
  BACKUP_PASSPHRASE: z.string().min(16, 'must have at least 16 characters').optional(),
  /** A file that holds the passphrase instead. */
  BACKUP_PASSPHRASE_FILE: z.string().min(1).optional(),
  /** The time of day, in the practice's time zone. */
  BACKUP_AT: clockTime.default('02:30'),
  BACKUP_KEEP: z.coerce.number().int().min(1).max(1_000).default(14),
  BACKUP_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  BACKUP_S3_REGION: z.string().min(1).optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** The program that dumps an external database. */
  PG_DUMP: z.string().min(1).default('pg_dump'),
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4),
  /** Who receives reports of vulnerabilities, for /.well-known/security.txt. */
  SECURITY_CONTACT: z
    .string()
    .regex(
      /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+\S*|tel:\+[\d-]+)$/,
      'must be an address such as mailto:security@clinic.example or https://…',
    )
    .optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  DEMO: flag,
})

export const settingNames: readonly string[] = Object.keys(settings.shape)

/** What a restore needs to know: the clinic itself, with its secret, is in the backup. */
const backupSettings = settings.pick({
  PRACTICE_TIME_ZONE: true,
  BACKUP_TO: true,
  BACKUP_PASSPHRASE: true,
  BACKUP_PASSPHRASE_FILE: true,
  BACKUP_S3_ENDPOINT: true,
  BACKUP_S3_REGION: true,
  BACKUP_S3_ACCESS_KEY_ID: true,
  BACKUP_S3_SECRET_ACCESS_KEY: true,
  S3_ENDPOINT: true,
  S3_REGION: true,
  S3_ACCESS_KEY_ID: true,
  S3_SECRET_ACCESS_KEY: true,
})
export type BackupSettings = z.output<typeof backupSettings>
/** Settings that OIDC_ISSUER requires. */
const requiredForOidc = {
  OIDC_CLIENT_ID: 'is missing. Set it to the client ID that the provider of OIDC_ISSUER shows',
  OIDC_CLIENT_SECRET: 'is missing. Set it to the client secret that the provider of OIDC_ISSUER shows',
} as const

const schema = settings.superRefine((given, context) => {
  if (given.METRICS_PORT && given.METRICS_PORT === given.PORT)
    context.addIssue({ code: 'custom', path: ['METRICS_PORT'], message: 'must differ from PORT' })
  if (given.BACKUP_TO && !given.BACKUP_PASSPHRASE && !given.BACKUP_PASSPHRASE_FILE) {
    const message = 'is missing. Set it to the passphrase that encrypts the backups, or set BACKUP_PASSPHRASE_FILE'
    context.addIssue({ code: 'custom', path: ['BACKUP_PASSPHRASE'], message })
  }
  const required = { ...(given.FILES === 's3' && requiredForS3), ...(given.OIDC_ISSUER && requiredForOidc) }
  for (const [name, message] of Object.entries(required)) {
    if (given[name as keyof typeof given] === '') context.addIssue({ code: 'custom', path: [name], message })
  }
  if (given.TWILIO_ACCOUNT_SID && !given.TWILIO_AUTH_TOKEN)
    context.addIssue({ code: 'custom', path: ['TWILIO_AUTH_TOKEN'], message: 'is missing. Set it to the auth token of TWILIO_ACCOUNT_SID' })
  if (given.TWILIO_ACCOUNT_SID && !given.TWILIO_NUMBER && !given.TWILIO_MESSAGING_SERVICE) {
    const message = 'is missing. Set it to the number that sends text messages, or set TWILIO_MESSAGING_SERVICE'
    context.addIssue({ code: 'custom', path: ['TWILIO_NUMBER'], message })
  }
  if (given.STRIPE_SECRET_KEY && !given.STRIPE_PUBLISHABLE_KEY) {
    const message = 'is missing. Set it to the publishable key of the account of STRIPE_SECRET_KEY'
    context.addIssue({ code: 'custom', path: ['STRIPE_PUBLISHABLE_KEY'], message })
  }
  if (given.OIDC_ONLY && !given.OIDC_ISSUER)
    context.addIssue({ code: 'custom', path: ['OIDC_ONLY'], message: 'requires OIDC_ISSUER: otherwise no one could sign in' })
})

export type Env = z.output<typeof schema> & { APP_URL: string }

/** Invalid settings, with a message that says what to set. */
export class SettingsError extends Error {}

/** Reads the settings from the environment. Throws a SettingsError that names each invalid setting. */
export function readEnv(source: NodeJS.ProcessEnv): Env {
  const env = parse(schema, source)
  return { ...env, APP_URL: (env.APP_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, '') }
}

/** Reads only the settings of backups, for a machine without a clinic. Throws like `readEnv`. */
export const readBackupSettings = (source: NodeJS.ProcessEnv): BackupSettings => parse(backupSettings, source)

function parse<Schema extends z.ZodType>(expected: Schema, source: NodeJS.ProcessEnv): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = expected.safeParse(given)
  if (parsed.success) return parsed.data
  throw new SettingsError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'))
}
