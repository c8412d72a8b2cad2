import { Resolver } from 'node:dns/promises'
import type { Env } from '../../kernel/env.ts'

/** What the DNS says about one of the three records; `unknown`: it did not answer, or there is nothing to ask for. */
export type RecordState = 'found' | 'missing' | 'unknown'
export interface DomainRecord {
  state: RecordState
  /** The name that was asked for. */
  name: string
  /** The record itself. */
  found: string | null
}
export interface SenderDomain {
  domain: string
  spf: DomainRecord
  dkim: DomainRecord
  dmarc: DomainRecord
}

/** Milliseconds to wait for an answer of the DNS. */
const timeout = 2_000
/** Longer records are shown up to here. */
const maxShown = 300

/**
 * Asks the DNS whether the domain of the sender (MAIL_FROM) has the records by which receivers tell real emails from forged ones: SPF, DKIM under
 * the selector DKIM_SELECTOR, and DMARC.
 */
export async function askSenderDomain({
  MAIL_FROM,
  DKIM_SELECTOR,
  DNS_SERVERS,
}: Pick<Env, 'MAIL_FROM' | 'DKIM_SELECTOR' | 'DNS_SERVERS'>): Promise<SenderDomain> {
  const resolver = new Resolver({ timeout, tries: 1 })
  if (DNS_SERVERS.length > 0) resolver.setServers(DNS_SERVERS)
  const domain = MAIL_FROM.slice(MAIL_FROM.lastIndexOf('@') + 1).toLowerCase()
  const ask = (name: string, isIt: RegExp) => recordOf(resolver, name, isIt)
  const dkimName = `${DKIM_SELECTOR}._domainkey.${domain}`
  const [spf, dkim, dmarc] = await Promise.all([
    ask(domain, /^v=spf1(?: |$)/i),
    DKIM_SELECTOR === '' ? { state: 'unknown' as const, name: `_domainkey.${domain}`, found: null } : ask(dkimName, /\bp=[a-z0-9+/]/i),
    dmarcOf(ask, domain),
  ])
  return { domain, spf, dkim, dmarc }
}

/** A domain without a DMARC record of its own has that of the domain above it. */
async function dmarcOf(ask: (name: string, isIt: RegExp) => Promise<DomainRecord>, domain: string): Promise<DomainRecord> {
  const isDmarc = /^v=DMARC1\s*;/i
  const own = await ask(`_dmarc.${domain}`, isDmarc)
  const above = domain.split('.').slice(1).join('.')
  if (own.state !== 'missing' || !above.includes('.')) return own
  const found = await ask(`_dmarc.${above}`, isDmarc)
  return found.state === 'found' ? found : own
}

async function recordOf(resolver: Resolver, name: string, isIt: RegExp): Promise<DomainRecord> {
  try {
    const records = (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    const found = records.find((record) => isIt.test(record)) ?? null
    return { state: found === null ? 'missing' : 'found', name, found: found?.slice(0, maxShown) ?? null }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return { state: code === 'ENOTFOUND' || code === 'ENODATA' ? 'missing' : 'unknown', name, found: null }
  }
}
