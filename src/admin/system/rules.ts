/** The systems that the server calls, in the order shown. */
export const vendors = [
  'postmark',
  'quickbooks',
  'nylas',
  'gmail',
  's3',
  'clamd',
  'oidc',
  'timestamp-authority',
  'twilio',
  'stripe',
] as const
export type Vendor = (typeof vendors)[number]

/** Why a system's last call failed. */
export const vendorFailures = ['credentials', 'limited', 'away', 'unreadable'] as const
export type VendorFailure = (typeof vendorFailures)[number]

export const vendorNames: Record<Vendor, string> = {
  postmark: 'Postmark',
  quickbooks: 'QuickBooks',
  nylas: 'Nylas',
  gmail: 'Gmail',
  s3: 'File storage (S3)',
  clamd: 'Virus scanner',
  oidc: 'Sign-in provider',
  'timestamp-authority': 'Time-stamp authority',
  twilio: 'Twilio',
  stripe: 'Stripe',
}

const credentialsAdvice: Record<Vendor, string> = {
  postmark: 'Postmark refuses the token: set POSTMARK_TOKEN to the server token and restart Refyne.',
  quickbooks: 'QuickBooks no longer accepts the connection: connect the company again under Integrations.',
  nylas: 'Nylas refuses a mailbox: its owner has to reconnect it under Email. If it refuses all of them, check NYLAS_API_KEY.',
  gmail: 'Gmail refuses a mailbox: its owner has to reconnect it under Email. If it refuses all of them, check GMAIL_CLIENT_SECRET.',
  s3: 'The storage refuses the key: check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and its permissions.',
  clamd: 'The virus scanner refuses the connection: check CLAMD_URL.',
  oidc: 'The sign-in provider refuses Refyne: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, which may have expired there.',
  'timestamp-authority': 'The time-stamp authority refuses Refyne: check TSA_URL.',
  twilio: 'Twilio refuses the token: check TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN, and restart Refyne.',
  stripe: 'Stripe refuses the key: check STRIPE_SECRET_KEY and its permissions, and restart Refyne.',
}

/** What to check if it does not respond. */
const awayAdvice: Record<Vendor, string> = {
  postmark: 'check the server’s internet connection and firewall. Emails wait and are sent when it recovers.',
  quickbooks: 'check the server’s internet connection and firewall. Payments wait and are recorded when it recovers.',
  nylas: 'check the server’s internet connection and firewall. Nothing in the mailboxes is lost.',
  gmail: 'check the server’s internet connection and firewall. Nothing in the mailboxes is lost.',
  s3: 'check S3_ENDPOINT, the service and the server’s firewall. Documents cannot be opened or added until it recovers.',
  clamd: 'start clamd and check CLAMD_URL. New documents wait until they are scanned.',
  oidc: 'check OIDC_ISSUER, the provider and the server’s firewall. Until it recovers, only passwords and passkeys work.',
  'timestamp-authority': 'check TSA_URL and the server’s firewall. PDFs are sealed without a time-stamp and get it when it recovers.',
  twilio: 'check the server’s internet connection and firewall. Text messages wait and are sent when it recovers.',
  stripe:
    'check the server’s internet connection and firewall. Patients cannot pay by card until it recovers; what they have paid is not lost.',
}

/** The cause and the fix of a failing connection, in a sentence or two. */
export function describeVendorFailure(vendor: Vendor, failure: VendorFailure): string {
  const name = vendorNames[vendor]
  if (failure === 'credentials') return credentialsAdvice[vendor]
  if (failure === 'away') return `${name} does not respond: ${awayAdvice[vendor]}`
  if (failure === 'limited')
    return `${name} limits the number of calls: they are repeated automatically. Wait an hour before you look further.`
  return `${name} sends responses that Refyne cannot read: check whether a proxy or firewall answers in its place.`
}
