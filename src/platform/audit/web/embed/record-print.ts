import { client } from '../../../../ui/client/api.ts'
import type { printedKinds } from '../../../../kernel/audit/rules.ts'

/**
 * Records in the audit log that a page was printed. The browser prints even if the call fails; what the page shows was recorded when it
 * was read.
 */
export function recordPrint(kind: (typeof printedKinds)[number], contactIds: readonly string[] = []): void {
  const patientIds = [...new Set(contactIds)]
  for (let begin = 0; begin === 0 || begin < patientIds.length; begin += maxParallel) {
    void client.audit.printed({ kind, contactIds: patientIds.slice(begin, begin + maxParallel) }).catch(() => {})
  }
}

/** In the format of the API call. */
const maxParallel = 500
