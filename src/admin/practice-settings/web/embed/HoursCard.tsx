import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { weekdays } from '../../../../platform/practice/web/embed/labels.ts'
import { formatHours } from '../../../../platform/practice/web/embed/hours-labels.ts'
import { useHours, useLivePractice } from '../../../../platform/practice/web/embed/usePractice.ts'

const HoursDialog = lazyDialog(
  () => import('../HoursDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The practice hours. Booking outside them needs confirmation. */
export function HoursCard() {
  const hours = useHours()
  useLivePractice()
  const mayChange = usePermission()('practice.setHours')
  const [isEditing, setEditing] = useState(false)
  return (
    <Section
      id="practice-hours"
      title="Practice hours"
      actions={
        mayChange &&
        hours.data && (
          <Button icon={<Pencil />} onPointerEnter={HoursDialog.prepare} onClick={() => setEditing(true)}>
            Change hours
          </Button>
        )
      }
    >
      <Asked query={hours} failed="Couldn’t load the practice hours">
        {(days) => (
          <>
            <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
              Booking an appointment outside these hours needs confirmation.{!mayChange && ' Administrators can change them.'}
            </p>
            <Facts className="pt-3">
              {weekdays.map((day, index) => {
                const text = formatHours(days, index + 1)
                return (
                  <Fact key={day} label={day}>
                    <span className="tabular-nums">{text === 'Closed' ? <None>Closed</None> : text}</span>
                  </Fact>
                )
              })}
            </Facts>
          </>
        )}
      </Asked>
      {isEditing && hours.data && <HoursDialog hours={hours.data} onClose={() => setEditing(false)} />}
    </Section>
  )
}
