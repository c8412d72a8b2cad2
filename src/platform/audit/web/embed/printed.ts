import { client } from '../../../../ui/client/api.ts'
import type { printedKinds } from '../../../../kernel/audit/rules.ts'

/** Tells the audit log that a page is printed. The browser prints whether it can be told or not; what the page shows was recorded when it was read. */
export function recordPrint(kind: (typeof printedKinds)[number], contactIds: readonly string[] = []): void {
  const whose = [...new Set(contactIds)]
  for (let begin = 0; begin === 0 || begin < whose.length; begin += maxParallel) {
    void client.audit.printed({ kind, contactIds: whose.slice(begin, begin + maxParallel) }).catch(() => {})
  }
}

/** As the call takes them. */
const maxParallel = 500
