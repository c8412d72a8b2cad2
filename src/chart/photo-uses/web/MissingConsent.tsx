import type { ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'

interface MissingConsentProps {
  title?: string
  /** What is missing, and what to do. */
  children: ReactNode
  /** Shows and records consents. */
  onConsents: () => void
}

/** Why photos may not leave the chart, with the way to the patient's consents. */
export function MissingConsent({ title, children, onConsents }: MissingConsentProps) {
  return (
    <Alert
      tone="warning"
      title={title}
      action={
        <Button size="sm" onClick={onConsents}>
          Consent and use
        </Button>
      }
    >
      {children}
    </Alert>
  )
}
