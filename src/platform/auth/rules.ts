import { z } from 'zod'
import { commonPasswords } from '../../shared/common-passwords.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import type { AccountStatus } from '../../kernel/access/rules.ts'
import { isOfCompany } from '../../shared/domains.ts'

/** The practice's own least length of a password, above the specification's 6. */
export const passwordMinimum = 8

/** Milliseconds: so long a proof of who one is counts for the actions that ask for one. */
export const provenFor = 5 * 60_000

/** A recovery code as it is kept, however it is typed: 'abcde-fghij'. */
export function inRecoveryForm(typed: string): string {
  const letters = typed.toLowerCase().replace(/[\s-]/g, '')
  return letters && `${letters.slice(0, 5)}-${letters.slice(5)}`
}

export const passwordMessages = {
  required: 'Password is required',
  tooShort: 'Password must be at least 6 characters',
  belowMinimum: `Please use at least ${passwordMinimum} characters`,
  tooCommon: 'This password is one of the most common ones. Please choose another.',
} as const

/** The first thing wrong with a new password, or null (spec 5, then the practice's minimum, then the list of common ones). */
export function passwordProblem(password: string): string | null {
  const length = [...password].length
  if (length < 6) return passwordMessages.tooShort
  if (length < passwordMinimum) return passwordMessages.belowMinimum
  if (commonPasswords.has(password.toLowerCase())) return passwordMessages.tooCommon
  return null
}

/** A password that may be set. */
export const newPassword = z
  .string()
  .max(200, 'Use at most 200 characters')
  .refine(isStorable, notStorable) // it is hashed as UTF-8, in which every half of a surrogate pair is the same
  .superRefine((password, issue) => {
    const message = passwordProblem(password)
    if (message) issue.addIssue({ code: 'custom', message })
  })

/** What an account becomes once its address is verified: active at a company domain, else it waits for an administrator. */
export function statusOnceVerified(email: string, companyDomains: readonly string[]): AccountStatus {
  return isOfCompany(email, companyDomains) ? 'active' : 'pending'
}
