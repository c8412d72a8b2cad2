import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { ConsentChannel } from '../../crm/consent/rules.ts'
import { mayReceiveCommercial } from '../../crm/consent/service.ts'
import { emailsOf, phonesOf, readPhone } from '../../crm/contacts/service.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { suppressionOf } from '../../platform/mail/service.ts'
import { maySendCommercial } from './commercial.ts'
import { textingOf } from './sms/texting.ts'

type Wanted = { contactId: string; channel: ConsentChannel; isCommercial: boolean }

/**
 * The patient's best address or phone number for an automatic message: the first in the record that may get it, a mobile phone before one that
 * may be a landline. Phone numbers in E.164. Refuses with a stable reason.
 */
export async function chooseRecipient(tx: Db, scope: Scope, { contactId, channel, isCommercial }: Wanted) {
  const isText = channel === 'text'
  if (isText ? !textingOf(scope.env) : !scope.env.POSTMARK_TOKEN) return refuse('NOT_SET_UP')
  if (isCommercial && !maySendCommercial(scope.env)) return refuse('NOT_SET_UP')
  const listed = await (isText ? phonesOf(tx, contactId) : emailsOf(tx, contactId))
  if (!listed) return refuse('NO_PATIENT')
  const addresses = isText ? textable(listed) : listed.map(addressKey)
  if (addresses.length === 0) return isText ? refuse('NO_MOBILE_NUMBER') : refuse('NO_ADDRESS')
  const open: string[] = []
  for (const address of addresses) if ((await suppressionOf(tx, address)) === null) open.push(address)
  if (open.length === 0) return isText ? refuse('STOPPED') : refuse('BOUNCED')
  if (!isCommercial) return { address: open[0]! }
  for (const address of open) if (await mayReceiveCommercial(tx, scope, { contactId, channel, address })) return { address }
  return refuse('NO_CONSENT')
}

/** The numbers that may receive texts, those first that are certainly mobile. */
const textable = (phones: readonly string[]): string[] => {
  const read = phones.flatMap((phone) => readPhone(phone) ?? [])
  return ['mobile', 'either'].flatMap((kind) => read.filter((phone) => phone.kind === kind).map(({ number }) => number))
}
