/** Where anyone can have an address. The great ones, and those of Canada's and the United States' telephone and cable companies. */
const everybodys: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com outlook.ca hotmail.com hotmail.ca live.com live.ca msn.com yahoo.com yahoo.ca ymail.com rocketmail.com
  icloud.com me.com mac.com aol.com proton.me protonmail.com pm.me gmx.com gmx.net gmx.de mail.com zoho.com yandex.com fastmail.com hey.com tutanota.com
  rogers.com bell.net sympatico.ca shaw.ca telus.net telus.com videotron.ca cogeco.ca eastlink.ca sasktel.net mts.net comcast.net verizon.net
  att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net`.split(/\s+/),
)

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Whether an address is one of the practice's own people: at one of its domains. An address below a domain is not at it. */
export const isOfCompany = (email: string, companyDomains: readonly string[]): boolean =>
  companyDomains.some((company) => company.toLowerCase() === domainOf(email))

/** A domain as it is kept, from what was typed. */
export const asDomain = (typed: string): string => typed.trim().toLowerCase().replace(/^@/, '')

export const domainMessages = { domain: 'Enter domains like clinic.example' } as const

/** Why a domain, as it is kept, cannot be one of the practice's; null when it can: anyone who has an address there is let in. */
export function domainProblem(domain: string): string | null {
  if (domain.length > 253 || !/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(domain)) return domainMessages.domain
  return everybodys.has(domain) ? `Anyone can have an address at ${domain}, and would be let in` : null
}

/** Why mail cannot be sent from an address; null when it can. What others send from the great providers' addresses is refused by their own rules (DMARC). */
export const senderProblem = (email: string): string | null =>
  everybodys.has(domainOf(email)) ? `Email from ${domainOf(email)} would be refused. Use an address at the practice’s own domain` : null
