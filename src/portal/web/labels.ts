import { codeLength } from '../rules.ts'

/** The digits typed or pasted into the code field; accepts '482 103' and full-width digits. */
export const codeDigits = (typed: string, length = codeLength): string => typed.normalize('NFKC').replace(/\D/g, '').slice(0, length)

/** m:ss (spec 2). */
export function countdownText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
}

/** Whether the text looks like an email address; the server validates it fully. */
export const isEmail = (text: string): boolean => text.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)
