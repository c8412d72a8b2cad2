import { afterEach, expect, it, vi } from 'vitest'
import { codeOf } from './totp.ts'

afterEach(() => void vi.useRealTimers())

// The last six digits of RFC 6238, appendix B. The secret is '12345678901234567890' in base32.
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('computes for %d s the code %s (RFC 6238)', (seconds, code) => {
  vi.useFakeTimers({ now: seconds * 1000 })
  expect(codeOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')).toBe(code)
})
