import type { ComponentProps, ReactNode } from 'react'
import { Controller, type Control, type ControllerRenderProps, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form'
import { cn } from './cn.ts'
import { Field } from './Field.tsx'

interface FormProps<In extends FieldValues, Out> extends Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> {
  form: UseFormReturn<In, unknown, Out>
  onSubmit: (values: Out) => Promise<void> | void
}

/** A second submit while the first is on its way does nothing. */
export function Form<In extends FieldValues, Out>({ form, onSubmit, className, ...rest }: FormProps<In, Out>) {
  const submit = form.handleSubmit(onSubmit)
  return (
    <form
      noValidate
      className={cn('min-w-0', className)}
      onSubmit={(event) => {
        event.preventDefault()
        // A form inside a portal is still a child of the outer form for React.
        event.stopPropagation()
        if (!form.formState.isSubmitting) void submit(event)
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
