import { Plus } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { isActive } from '../rules.ts'
import { ChartSection } from './embed/ChartSection.tsx'
import { useEditing, useReturnedFocus } from './editing.ts'
import { EntryList } from './EntryList.tsx'
import type { HealthData } from './health-data.ts'
import type { HealthActions } from './useHealth.ts'

/** What everyone who looks after the patient must know at once; the banner shows it. */
export function Alerts({ contactId, health, actions }: { contactId: string; health: HealthData; actions: HealthActions }) {
  const { edit, isOpen } = useEditing()
  const button = useReturnedFocus(isOpen({ add: 'alert' }))
  const alerts = health.entries.filter(({ kind }) => kind === 'alert')
  return (
    <ChartSection
      title="Alerts"
      actions={
        <Button ref={button} size="sm" variant="quiet" icon={<Plus />} className="text-fg" onClick={() => edit({ add: 'alert' })}>
          Add alert
        </Button>
      }
    >
      <EntryList
        label="Alerts"
        contactId={contactId}
        shown={alerts.filter(isActive)}
        past={alerts.filter((entry) => !isActive(entry))}
        kinds={['alert']}
        nextSurgeryOn={null}
        actions={actions}
        empty="No alerts"
        isNarrow
      />
    </ChartSection>
  )
}
