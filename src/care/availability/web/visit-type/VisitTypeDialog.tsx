import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { Tabs, TabPanel } from '../../../../ui/display/Tabs.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import type { VisitTypeData } from '../embed/useAvailability.ts'
import { AvailabilityPart } from './AvailabilityPart.tsx'
import { DepositPart } from './DepositPart.tsx'
import { OnlinePart } from './OnlinePart.tsx'
import { isInPart, labels, type Part, partOf, parts } from './parts.ts'
import { SeriesPart } from './SeriesPart.tsx'
import { useVisitTypeForm } from './useVisitTypeForm.ts'
import { VisitPart } from './VisitPart.tsx'

interface VisitTypeDialogProps {
  /** Null to add one. */
  visitType: VisitTypeData | null
  onClose: () => void
}

/** A visit type in parts, the first of which has what almost every visit type sets. A part with a problem opens and is marked. */
export default function VisitTypeDialog({ visitType, onClose }: VisitTypeDialogProps) {
  // As opened, so that a change by someone else is detected by its version.
  const [before] = useState(visitType)
  const form = useVisitTypeForm(before, onClose)
  const guard = useUnsavedGuard(() => form.isDirty)
  const [part, setPart] = useState<Part>('visit')
  const [seenTries, setSeenTries] = useState(0)
  const wrong = Object.keys(form.problems)
  // During rendering, so that the field is there when the form focuses it.
  if (form.tries !== seenTries) {
    setSeenTries(form.tries)
    const next = wrong.some((field) => isInPart(field, part)) ? part : partOf(wrong)
    if (next && next !== part) setPart(next)
  }
  const content = {
    visit: <VisitPart form={form} isNew={before === null} />,
    availability: <AvailabilityPart form={form} />,
    online: <OnlinePart form={form} before={before} />,
    deposit: <DepositPart form={form} />,
    series: <SeriesPart form={form} />,
  } satisfies Record<Part, unknown>

  return (
    <ActionDialog
      size="md"
      title={before ? 'Edit visit type' : 'Add visit type'}
      form={form}
      action={{ label: before ? 'Save visit type' : 'Add visit type' }}
      onClose={() => guard.close(onClose)}
    >
      <Tabs
        aria-label="Visit type"
        value={part}
        onValueChange={setPart}
        className="flex-none"
        listClassName="sticky -top-4 z-10 -mx-4 -mt-4 bg-raised md:-top-5 md:-mx-6 md:-mt-5"
        items={parts.map((value) => ({
          value,
          label: labels[value],
          badge: wrong.some((field) => isInPart(field, value)) && (
            <CircleAlert aria-label="has errors" className="size-3.5! text-danger-fg" />
          ),
        }))}
      >
        <TabPanel value={part} tabIndex={-1} className="flex flex-col gap-4 pt-4 md:min-h-136 md:pt-5">
          {content[part]}
        </TabPanel>
      </Tabs>
      {guard.dialog}
    </ActionDialog>
  )
}
