import { client, queryClient, orpc } from '../../../../ui/client/api.ts'
import { refreshSession, useSession } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form } from '../../../../ui/forms/Form.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Section } from '../../../../ui/display/Section.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { problemsIn, useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { roleNames } from '../../../../kernel/access/rules.ts'
import { profileInput } from '../../account-contract.ts'

/** The user's own name, as colleagues and patients see it. */
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
  const form = useActionForm({
    initial: names,
    check: (values) => problemsIn(profileInput, values),
    send: save,
    done: 'Name saved',
    failed: (message) => toast.error('Your name was not saved', message),
  })
  async function save(values: typeof names): Promise<void> {
    const { firstName, lastName } = await client.account.updateProfile(values)
    form.reset({ firstName, lastName })
    await Promise.all([refreshSession(), queryClient.invalidateQueries({ queryKey: orpc.people.key() })])
  }
  return (
    <Form form={form} className="flex flex-col gap-4 pt-4">
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2 sm:gap-3">
        <Field label="First name" error={form.problems.firstName}>
          <Input {...form.text('firstName')} autoComplete="given-name" />
        </Field>
        <Field label="Last name" error={form.problems.lastName}>
          <Input {...form.text('lastName')} autoComplete="family-name" />
        </Field>
      </div>
      <div>
        <Button type="submit" disabled={!form.isDirty} busy={form.isBusy} busyLabel="Saving…">
          Save name
        </Button>
      </div>
    </Form>
  )
}
