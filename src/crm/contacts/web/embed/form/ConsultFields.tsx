import { DayField, LongTextField, TextField, Tick } from './controls.tsx'
import type { ContactForm } from './useContactForm.ts'

interface ConsultFieldsProps {
  form: ContactForm
  /** The results were ticked as received. */
  onResultsReceived: () => void
  className?: string
}

/** Whether a specialist consult is required; the rest is asked only then. Unticking keeps what was typed here until it is saved. */
export function ConsultFields({ form, onResultsReceived, className }: ConsultFieldsProps) {
  const { requiresSpecialistConsult: isRequired, specialistResultsReceived: hasResults } = form.values
  return (
    <>
      <Tick form={form} name="requiresSpecialistConsult" className={className} />
      {isRequired && (
        <>
          <TextField form={form} name="specialistConsultType" label="Type" unmarked className={className} />
          <LongTextField form={form} name="specialistConsultReason" label="Reason" unmarked className={className} />
          <Tick form={form} name="specialistResultsReceived" onTicked={onResultsReceived} className={className} />
          {hasResults && <DayField form={form} name="specialistResultsDate" label="Received on" className={className} />}
          <LongTextField form={form} name="specialistNotes" className={className} />
        </>
      )}
    </>
  )
}
