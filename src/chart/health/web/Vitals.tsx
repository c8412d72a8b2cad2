import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Fact, Facts } from '../../../ui/display/Facts.tsx'
import { None } from '../../../ui/display/Table.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { bodyMassIndex, latestValues } from '../rules.ts'
import { ChartSection } from './embed/ChartSection.tsx'
import type { HealthData } from './health-data.ts'
import { asaLabels, formatBloodType, formatMeasured } from './labels.ts'
import { useReviewer } from './useReviewer.ts'

const MeasurementDialog = lazyDialog(
  () => import('./MeasurementDialog.tsx'),
  ({ onClose }) => onClose(),
)
const MeasurementsDrawer = lazyDialog(
  () => import('./MeasurementsDrawer.tsx'),
  ({ onClose }) => onClose(),
)

interface VitalsProps {
  contactId: string
  health: HealthData
  onChange: (health: HealthData) => void
}

/** The newest value of each measurement. */
export function Vitals({ contactId, health: { measurements }, onChange }: VitalsProps) {
  const clock = useClock()
  const nameOf = useReviewer()
  const [open, setOpen] = useState<'new' | 'all' | null>(null)
  const { heightCm, weightKg, systolic, diastolic, bloodType, asaClass } = latestValues(measurements)
  const bmi = bodyMassIndex({ heightCm, weightKg })
  const newest = measurements[0]
  return (
    <ChartSection title="Vitals and measurements">
      {newest ? (
        <>
          <Facts className="gap-2.5 py-3 tabular-nums">
            <Fact label="Height">{heightCm === null ? <None /> : `${heightCm} cm`}</Fact>
            <Fact label="Weight">{weightKg === null ? <None /> : `${weightKg} kg`}</Fact>
            <Fact label="BMI">{bmi === null ? <None /> : bmi.toFixed(1)}</Fact>
            <Fact label="Blood pressure">{systolic === null || diastolic === null ? <None /> : `${systolic} / ${diastolic}`}</Fact>
            <Fact label="Blood type">{bloodType === null ? <None>Not tested</None> : formatBloodType(bloodType)}</Fact>
            <Fact label="ASA class">{asaClass === null ? <None>Not assessed</None> : asaLabels[asaClass]}</Fact>
          </Facts>
          <p className="text-sm text-fg-3">{formatMeasured(newest, { by: nameOf(newest.measuredBy), clock })}</p>
        </>
      ) : (
        <p className="py-2.5 text-sm text-fg-3">No measurements yet</p>
      )}
      {/* The side column is too narrow for them beside the heading. */}
      <div className="mt-1 -ml-2.5 flex flex-wrap">
        <Button
          size="sm"
          variant="quiet"
          icon={<Plus />}
          className="text-fg"
          onPointerEnter={MeasurementDialog.prepare}
          onClick={() => setOpen('new')}
        >
          Add measurement
        </Button>
        {measurements.length > 1 && (
          <Button size="sm" variant="quiet" onPointerEnter={MeasurementsDrawer.prepare} onClick={() => setOpen('all')}>
            View all {measurements.length}
          </Button>
        )}
      </div>
      {open === 'new' && <MeasurementDialog contactId={contactId} onSaved={onChange} onClose={() => setOpen(null)} />}
      {open === 'all' && <MeasurementsDrawer measurements={measurements} onClose={() => setOpen(null)} />}
    </ChartSection>
  )
}
