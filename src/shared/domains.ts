/** Domains where anyone can get an address: large providers, and Canadian and US phone and cable companies. */
const publicDomains: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com outlook.ca hotmail.com hotmail.ca live.com live.ca msn.com yahoo.com yahoo.ca ymail.com rocketmail.com
  icloud.com me.com mac.com aol.com proton.me protonmail.com pm.me gmx.com gmx.net gmx.de mail.com zoho.com yandex.com fastmail.com hey.com tutanota.com
  rogers.com bell.net sympatico.ca shaw.ca telus.net telus.com videotron.ca cogeco.ca eastlink.ca sasktel.net mts.net comcast.net verizon.net
  att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net`.split(/\s+/),
)

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Whether an address is at one of the practice's domains. Subdomains don't count. */
export const isOfCompany = (email: string, companyDomains: readonly string[]): boolean =>
  companyDomains.some((company) => company.toLowerCase() === domainOf(email))

/** Normalizes a typed domain for storage. */
export const asDomain = (typed: string): string => typed.trim().toLowerCase().replace(/^@/, '')

export const domainMessages = { domain: 'Enter domains like clinic.example' } as const

/** Why a normalized domain can't be one of the practice's; null if it can. Anyone with an address at the domain can sign up. */
export function domainProblem(domain: string): string | null {
  if (domain.length > 253 || !/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(domain)) return domainMessages.domain
  return publicDomains.has(domain) ? `Anyone can have an address at ${domain} and would get access` : null
}

/** Why email can't be sent from an address; null if it can. Large providers' DMARC policies reject email sent by other servers. */
export const senderProblem = (email: string): string | null =>
  publicDomains.has(domainOf(email)) ? `Email from ${domainOf(email)} would be refused. Use an address at the practice’s own domain` : null
