import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { client, messageOf, queryClient, orpc } from '../../../../ui/client/api.ts'
import { applyFieldErrors } from '../../../../ui/client/form-errors.ts'
import { refreshSession, useSession } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Fact, Facts } from '../../../../ui/Facts.tsx'
import { Form, FormField } from '../../../../ui/Form.tsx'
import { Input } from '../../../../ui/Input.tsx'
import { Section } from '../../../../ui/Section.tsx'
import { toast } from '../../../../ui/toast.ts'
import { roleNames } from '../../../../kernel/access/rules.ts'
import { profileInput } from '../../account-contract.ts'

/** Who one is, as colleagues and patients see it. */
export function ProfileCard() {
  const { user } = useSession()
  if (!user) return null
  return (
    <Section id="profile" title="Profile">
      <NameForm key={user.id} firstName={user.firstName} lastName={user.lastName} />
      <Facts className="pt-6">
        <Fact label="Email">{user.email}</Fact>
        <Fact label="Role">{roleNames[user.role]}</Fact>
      </Facts>
      <p className="max-w-[60ch] pt-3 text-sm text-fg-3">You sign in with this address. An administrator changes roles.</p>
    </Section>
  )
}

function NameForm(names: { firstName: string; lastName: string }) {
  const form = useForm({ defaultValues: names, resolver: zodResolver(profileInput) })
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        try {
          const user = await client.account.updateProfile(values)
          form.reset({ firstName: user.firstName, lastName: user.lastName })
          await Promise.all([refreshSession(), queryClient.invalidateQueries({ queryKey: orpc.people.key() })])
          toast.success('Name saved')
        } catch (error) {
          if (!applyFieldErrors(form, error)) toast.error('Your name was not saved', messageOf(error))
        }
      }}
      className="flex flex-col gap-4 pt-4"
    >
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2 sm:gap-3">
        <FormField control={form.control} name="firstName" label="First name">
          {(field) => <Input {...field} autoComplete="given-name" />}
        </FormField>
        <FormField control={form.control} name="lastName" label="Last name">
          {(field) => <Input {...field} autoComplete="family-name" />}
        </FormField>
      </div>
      <div>
        <Button type="submit" disabled={!form.formState.isDirty} busy={form.formState.isSubmitting} busyLabel="Saving...">
          Save name
        </Button>
      </div>
    </Form>
  )
}
