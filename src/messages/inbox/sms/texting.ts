import { createTwilio, type OutgoingText, type TwilioClient } from '../../../integrations/twilio/client.ts'
import type { Phone } from '../../../crm/contacts/service.ts'
import type { Env } from '../../../kernel/env.ts'

/** The account that sends text messages, and from where. */
export type Texting = { client: TwilioClient; sender: OutgoingText['sender'] }

/** The address of the hook to which Twilio reports what becomes of a text. */
export const statusAddress = ({ APP_URL }: Pick<Env, 'APP_URL'>, id: string): string => `${APP_URL}/api/hooks/twilio/status?message=${id}`

/** The number or the messaging service, as the sender of a message. */
export const nameOfSender = ({ sender }: Texting): string => ('number' in sender ? sender.number : sender.messagingService)

/** Null: the server is not set up to send text messages. */
export function textingOf(env: Env, { timeoutSeconds = 30 }: { timeoutSeconds?: number } = {}): Texting | null {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_NUMBER: number, TWILIO_MESSAGING_SERVICE: service } = env
  if (!accountSid || !authToken) return null
  const client = createTwilio({ accountSid, authToken, baseUrl: env.TWILIO_URL, timeoutSeconds })
  return { client, sender: service ? { messagingService: service } : { number: number! } }
}

/** Texts to other countries cost many times more, and anyone who fills in a form could have them sent. */
export const isInTextedCountry = ({ country }: Phone, { TEXT_COUNTRIES }: Env): boolean =>
  country !== null && TEXT_COUNTRIES.includes(country)
