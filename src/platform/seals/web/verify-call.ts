import type { Verdict } from '../rules.ts'

/** As JSON: instants are texts. */
type Json<Value> = Value extends Date ? string : Value extends object ? { [Key in keyof Value]: Json<Value[Key]> } : Value
export type Checked = Json<Verdict>

const failures = ['TOO_MANY_REQUESTS', 'BODY_TOO_LARGE', 'BUSY'] as const
/** `OTHER`: no usable response. */
export type Failure = (typeof failures)[number] | 'FILE_TYPE' | 'FILE_COUNT' | 'OTHER'

/** Sends a PDF to be verified. */
export async function verify(file: File): Promise<Checked | Failure> {
  try {
    const response = await fetch('/api/verify', { method: 'POST', headers: { 'content-type': 'application/pdf' }, body: file })
    const answer = (await response.json()) as Checked | { code?: unknown }
    if (response.ok) return answer as Checked
    return failures.find((code) => 'code' in answer && answer.code === code) ?? 'OTHER'
  } catch {
    return 'OTHER'
  }
}
