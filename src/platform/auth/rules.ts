import { z } from 'zod'
import { commonPasswords } from '../../shared/common-passwords.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { personName } from '../../shared/text-shapes.ts'
import type { AccountStatus, Role } from '../../kernel/access/rules.ts'
import { isOfCompany } from '../../shared/domains.ts'

/** The practice's minimum password length, above the specification's 6. */
export const passwordMinimum = 8

/** Milliseconds a re-authentication is valid for sensitive actions. */
export const provenFor = 5 * 60_000

/** Normalizes a recovery code, however it is typed: 'abcde-fghij'. */
export function normalizeRecoveryCode(typed: string): string {
  const letters = typed.toLowerCase().replace(/[\s-]/g, '')
  return letters && `${letters.slice(0, 5)}-${letters.slice(5)}`
}

export const passwordMessages = {
  required: 'Password is required',
  tooShort: 'Password must be at least 6 characters',
  belowMinimum: `Please use at least ${passwordMinimum} characters`,
  tooCommon: 'This password is one of the most common ones. Please choose another.',
} as const

/** The first problem with a new password, or null (spec 5, then the practice's minimum, then the list of common passwords). */
export function passwordProblem(password: string): string | null {
  const length = [...password].length
  if (length < 6) return passwordMessages.tooShort
  if (length < passwordMinimum) return passwordMessages.belowMinimum
  if (commonPasswords.has(password.toLowerCase())) return passwordMessages.tooCommon
  return null
}

/** A valid new password. */
export const newPassword = z
  .string()
  .max(200, 'Use at most 200 characters')
  .refine(isStorable, notStorable) // passwords are hashed as UTF-8, in which all lone surrogates are the same
  .superRefine((password, issue) => {
    const message = passwordProblem(password)
    if (message) issue.addIssue({ code: 'custom', message })
  })

/** Status after verification: active for a company domain, otherwise pending approval. */
export function statusAfterVerification(email: string, companyDomains: readonly string[]): AccountStatus {
  return isOfCompany(email, companyDomains) ? 'active' : 'pending'
}

/** The role of the first listed group that someone is in; null if they are in none. */
export const roleOfGroups = (listed: readonly { group: string; role: Role }[], groups: readonly string[]): Role | null =>
  listed.find(({ group }) => groups.includes(group))?.role ?? null

/** First and last name as a provider states them: it may send only a full name, or none. */
export function namesOf(given: { givenName: string; familyName: string; name: string; email: string }) {
  const [first = '', ...rest] = given.name.trim().split(/\s+/)
  const isSplit = given.givenName !== '' || given.familyName !== ''
  const names = isSplit ? [given.givenName, given.familyName] : [first, rest.join(' ')]
  const [firstName, lastName] = names.map((name) => personName(80, 'Name').safeParse(name).data ?? '')
  return {
    firstName: firstName || lastName ? firstName! : given.email.slice(0, given.email.lastIndexOf('@')).slice(0, 80),
    lastName: lastName!,
  }
}
