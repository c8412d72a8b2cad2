import { useWatch } from 'react-hook-form'
import { DayField, type FormControl, LongTextField, TextField, Tick } from './controls.tsx'

interface ConsultFieldsProps {
  control: FormControl
  /** The results were ticked as received. */
  onResultsReceived: () => void
  className?: string
}

/** Whether a specialist consult is required; the rest is asked only then. Unticking keeps what was typed here until it is saved. */
export function ConsultFields({ control, onResultsReceived, className }: ConsultFieldsProps) {
  const [isRequired, hasResults] = useWatch({ control, name: ['requiresSpecialistConsult', 'specialistResultsReceived'] })
  return (
    <>
      <Tick control={control} name="requiresSpecialistConsult" className={className} />
      {isRequired && (
        <>
          <TextField control={control} name="specialistConsultType" label="Type" unmarked className={className} />
          <LongTextField control={control} name="specialistConsultReason" label="Reason" unmarked className={className} />
          <Tick control={control} name="specialistResultsReceived" onTicked={onResultsReceived} className={className} />
          {hasResults && <DayField control={control} name="specialistResultsDate" label="Received on" className={className} />}
          <LongTextField control={control} name="specialistNotes" className={className} />
        </>
      )}
    </>
  )
}
