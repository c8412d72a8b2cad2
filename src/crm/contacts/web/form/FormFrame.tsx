import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Form } from '../../../../ui/forms/Form.tsx'
import type { FormState } from '../../../../ui/forms/useActionForm.ts'
import { type Clock, today } from '../../../../ui/format.ts'
import type { Directory } from '../embed/directory.ts'
import { FormSections } from './FormSections.tsx'
import type { ContactForm } from '../embed/form/useContactForm.ts'

interface FormFrameProps {
  form: ContactForm & FormState
  directory: Directory
  clinical: boolean
  clock: Clock
  email: ReactNode
  /** Shown above the footer, independent of scrolling. */
  notice?: ReactNode
  submitLabel: string
  /** The target of Cancel. */
  cancel: LinkProps
}

/** Scrolling form sections above a fixed footer with Cancel and Save. */
export function FormFrame({ form, directory, clinical, clock, email, notice, submitLabel, cancel }: FormFrameProps) {
  return (
    <Form form={form} className="flex min-h-0 flex-1 flex-col [--form-columns:11rem_minmax(0,42rem)]">
      <div className="relative min-h-0 flex-1 scroll-py-6 overflow-y-auto px-4 md:px-6">
        <FormSections
          form={form}
          directory={directory}
          clinical={clinical}
          email={email}
          onResultsReceived={() => {
            if (form.values.specialistResultsDate === '') form.set({ specialistResultsDate: today(clock) })
          }}
        />
      </div>
      {notice}
      {/* Uses the columns of the sections, so that the buttons align with the fields. */}
      <footer className="flex-none border-t border-line px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6 lg:grid lg:grid-cols-(--form-columns) lg:gap-x-8">
        <div className="flex justify-end gap-2 lg:col-start-2">
          <Button asChild size="lg">
            <Link {...cancel}>Cancel</Link>
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={form.isBusy} busyLabel="Saving…" className="max-md:flex-1">
            {submitLabel}
          </Button>
        </div>
      </footer>
    </Form>
  )
}
