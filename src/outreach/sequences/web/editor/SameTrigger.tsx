import { Alert } from '../../../../ui/display/Alert.tsx'
import type { SequenceData } from '../sequence-data.ts'

/** Warns that patients can be in several sequences at a time, since one event starts them. */
export function SameTrigger({ sequence: { sameTrigger }, className }: { sequence: SequenceData; className?: string }) {
  if (sameTrigger.length === 0) return null
  const names = new Intl.ListFormat('en-CA').format(sameTrigger.map((name) => `“${name}”`))
  return (
    <Alert tone="warning" title="Patients may get the messages of several sequences" className={className}>
      The same event starts {names}, which {sameTrigger.length === 1 ? 'is' : 'are'} on.
    </Alert>
  )
}
