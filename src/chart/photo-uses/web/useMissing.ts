import { useState } from 'react'
import type { PatientUsesData } from './use-data.ts'

/** What is missing, until the patient's consents change: `none` after that. */
export function useMissing<T>(none: T, consents: PatientUsesData['consents'] | undefined) {
  const [found, setFound] = useState({ missing: none, consents })
  const set = (missing: T) => setFound({ missing, consents })
  return [found.consents === consents ? found.missing : none, set] as const
}
