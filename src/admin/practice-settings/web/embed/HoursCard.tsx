import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { useMay } from '../../../../ui/client/useMay.ts'
import { weekdays } from '../../../../platform/practice/web/embed/labels.ts'
import { formatHours } from '../../../../platform/practice/web/embed/hours-labels.ts'
import { useHours, useLivePractice } from '../../../../platform/practice/web/embed/usePractice.ts'

const HoursDialog = lazyDialog(
  () => import('../HoursDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** When the practice is open: what appointments are booked within unless someone means otherwise. */
export function HoursCard() {
  const hours = useHours()
  useLivePractice()
  const mayChange = useMay()('practice.setHours')
  const [isChanging, setChanging] = useState(false)
  return (
    <Section
      id="practice-hours"
      title="Practice hours"
      actions={
        mayChange &&
        hours.data && (
          <Button icon={<Pencil />} onPointerEnter={HoursDialog.prepare} onClick={() => setChanging(true)}>
            Change hours
          </Button>
        )
      }
    >
      <Asked query={hours} failed="Couldn’t load the practice hours">
        {(found) => (
          <>
            <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
              Appointments outside of them are asked about before they are booked.{!mayChange && ' Administrators change them.'}
            </p>
            <Facts className="pt-3">
              {weekdays.map((day, index) => {
                const words = formatHours(found, index + 1)
                return (
                  <Fact key={day} label={day}>
                    <span className="tabular-nums">{words === 'Closed' ? <None>Closed</None> : words}</span>
                  </Fact>
                )
              })}
            </Facts>
          </>
        )}
      </Asked>
      {isChanging && hours.data && <HoursDialog hours={hours.data} onClose={() => setChanging(false)} />}
    </Section>
  )
}
