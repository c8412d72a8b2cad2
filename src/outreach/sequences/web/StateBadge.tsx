import { Badge } from '../../../ui/display/Badge.tsx'
import type { SequenceLine } from './sequence-data.ts'

/** Whether a sequence is on, and with which version. */
export function StateBadge({ sequence: { isOn, published } }: { sequence: Pick<SequenceLine, 'isOn' | 'published'> }) {
  if (isOn) return <Badge tone="success">On, version {published}</Badge>
  return <Badge>{published === null ? 'Draft' : 'Off'}</Badge>
}
