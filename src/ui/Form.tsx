import { useRef, type ComponentProps, type ReactNode, type SubmitEvent } from 'react'
import { Controller, type Control, type ControllerRenderProps, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form'
import { cn } from './cn.ts'
import { Field } from './Field.tsx'
import { toast } from './toast.ts'

interface FormProps<In extends FieldValues, Out> extends Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> {
  form: UseFormReturn<In, unknown, Out>
  onSubmit: (values: Out) => Promise<void> | void
}

/** A second submit while the first is on its way does nothing. */
export function Form<In extends FieldValues, Out>({ form, onSubmit, className, ...rest }: FormProps<In, Out>) {
  const sending = useRef(false)

  async function send(event: SubmitEvent<HTMLFormElement>) {
    if (sending.current) return
    sending.current = true
    try {
      await form.handleSubmit(onSubmit)(event)
    } catch (error) {
      // The code of the checks did not come, or the page has a mistake; what a call answers is handled by the page.
      toast.error('This was not sent', 'The connection was lost. What you typed is kept.')
      reportError(error)
    } finally {
      sending.current = false
    }
  }

  return (
    <form
      noValidate
      className={cn('min-w-0', className)}
      onSubmit={(event) => {
        event.preventDefault()
        // A form inside a portal is still a child of the outer form for React.
        event.stopPropagation()
        void send(event)
      }}
      {...rest}
    />
  )
}

interface FormFieldProps<In extends FieldValues, Name extends FieldPath<In>, Out> {
  control: Control<In, unknown, Out>
  name: Name
  label: ReactNode
  optional?: boolean
  hint?: ReactNode
  aside?: ReactNode
  hideLabel?: boolean
  className?: string
  /** The control: spread `field` into an Input, or take value and onChange for the others. */
  children: (field: ControllerRenderProps<In, Name>) => ReactNode
}

export function FormField<In extends FieldValues, Name extends FieldPath<In>, Out>({
  control,
  name,
  children,
  ...field
}: FormFieldProps<In, Name, Out>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: input, fieldState }) => (
        <Field {...field} error={fieldState.error?.message}>
          {children(input)}
        </Field>
      )}
    />
  )
}
