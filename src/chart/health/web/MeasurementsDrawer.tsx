import { useClock } from '../../../ui/client/session.ts'
import { Sparkline } from '../../../ui/charts/Sparkline.tsx'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { bodyMassIndex, latestValues } from '../rules.ts'
import type { HealthData } from './health-data.ts'
import { asaLabels, formatBloodType, formatCalendarDay } from './labels.ts'
import { useReviewer } from './useReviewer.ts'

type MeasurementData = HealthData['measurements'][number]

/** What was measured each time, newest first, with the course of the weight. */
export default function MeasurementsDrawer({ measurements, onClose }: { measurements: readonly MeasurementData[]; onClose: () => void }) {
  const clock = useClock()
  const nameOf = useReviewer()
  const weights = measurements.flatMap(({ weightKg }) => weightKg ?? []).toReversed()
  return (
    <SideDrawer title="Measurements" onClose={onClose} isReadOnly>
      {weights.length > 1 && (
        <div className="flex items-center justify-between gap-4 border-b border-line pb-3 tabular-nums">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">Weight</span>
            <span className="text-sm text-fg-2">
              {weights[0]} kg to {weights.at(-1)} kg
            </span>
          </p>
          <Sparkline values={weights} isFitted />
        </div>
      )}
      <ul aria-label="Measurements">
        {measurements.map((one, index) => (
          <li key={one.id} className="border-b border-line py-3 last:border-0">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium tabular-nums">{formatCalendarDay(one.measuredOn, clock)}</span>
              <span className="text-sm text-fg-3">
                {one.source === 'form' && 'Reported by the patient, accepted by '}
                {nameOf(one.measuredBy)}
              </span>
            </p>
            <p className="flex flex-wrap gap-x-4 gap-y-0.5 pt-1 text-sm text-fg-2 tabular-nums">
              {describe(one, measurements.slice(index)).map((text) => (
                <span key={text}>{text}</span>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </SideDrawer>
  )
}

/** The values of one day. A weight has its BMI with the height that was known then: `untilThen` is this measurement and those before it. */
function describe(
  { heightCm, weightKg, systolic, diastolic, bloodType, asaClass }: MeasurementData,
  untilThen: readonly MeasurementData[],
) {
  const bmi = bodyMassIndex({ heightCm: latestValues(untilThen).heightCm, weightKg })
  return [
    heightCm !== null && `${heightCm} cm`,
    weightKg !== null && `${weightKg} kg`,
    bmi !== null && `BMI ${bmi.toFixed(1)}`,
    systolic !== null && diastolic !== null && `Blood pressure ${systolic} / ${diastolic}`,
    bloodType !== null && `Blood type ${formatBloodType(bloodType)}`,
    asaClass !== null && `ASA class ${asaLabels[asaClass]}`,
  ].filter((text) => text !== false && text !== undefined)
}
