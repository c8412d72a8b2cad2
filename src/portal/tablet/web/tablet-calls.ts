import type { Language } from '../../../shared/translations.ts'
import { type Credentials, post } from '../../web/calls.ts'
import type { TabletSession } from '../contract.ts'

export type ItemData = TabletSession['items'][number]

/** What the code opened, kept only in memory. */
export interface Tablet extends Credentials {
  firstName: string
  language: Language
  items: ItemData[]
  /** The person who gave the tablet, the witness of what is signed on it. */
  openedByName: string
  /** Milliseconds since 1970. */
  pairedAt: number
}

export async function pairTablet(code: string): Promise<Tablet> {
  const response = await post('tablet-pair', { code })
  const { sessionToken, contact, language, items, openedByName } = (await response.json()) as {
    sessionToken: string
    contact: { id: string; first_name: string }
    language: Language
    items: ItemData[]
    openedByName: string
  }
  return { token: sessionToken, contactId: contact.id, firstName: contact.first_name, language, items, openedByName, pairedAt: Date.now() }
}

export async function fetchItems({ token }: Pick<Credentials, 'token'>): Promise<ItemData[]> {
  const response = await post('tablet-fetch', { sessionToken: token })
  return ((await response.json()) as { items: ItemData[] }).items
}

/** Ends the session although the page is about to go away. */
export function endAtOnce({ token }: Pick<Credentials, 'token'>): void {
  const init = { method: 'POST', keepalive: true, headers: { 'content-type': 'application/json' } }
  void fetch('/api/functions/patient-sign-out', { ...init, body: JSON.stringify({ sessionToken: token }) }).catch(() => undefined)
}
