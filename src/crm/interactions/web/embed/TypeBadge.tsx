import { Badge } from '../../../../ui/display/Badge.tsx'
import type { InteractionType } from '../../contract.ts'
import { typeLabels } from '../kind-labels.ts'
import { kindTones } from '../kind-tones.ts'

/** The type of an entry, in its colour on the timeline (spec 9). */
export function TypeBadge({ type }: { type: InteractionType }) {
  return <Badge tone={kindTones[type]}>{typeLabels[type]}</Badge>
}
