import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useViews } from '../../../crm/saved-views/web/embed/useViews.ts'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { problemsIn, useActionForm } from '../../../ui/forms/useActionForm.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { isSystemTemplate, templateLanguage, templateTitle } from '../../../messages/email-templates/rules.ts'
import { campaignFields } from '../contract.ts'
import { deciders } from '../rules.ts'
import { type CampaignData, useShowCampaign } from './campaign-data.ts'
import { CheckPanel } from './CheckPanel.tsx'
import { deciderLabels } from './labels.ts'
import { PreviewSection } from './PreviewSection.tsx'
import { StartDialog } from './StartDialog.tsx'

interface Values {
  name: string
  /** 'all', 'given' for the filter that the campaign has, or the id of a view. */
  audience: string
  templateId: string | null
  isTest: boolean
  templateBId: string | null
  testPercent: string
  decideBy: CampaignData['decideBy']
  decideAfterHours: string
  perHour: string
}

const isFiltered = ({ audience }: CampaignData): boolean => Boolean(audience.search ?? audience.filter)

const valuesOf = (campaign: CampaignData): Values => ({
  name: campaign.name,
  audience: isFiltered(campaign) ? 'given' : 'all',
  templateId: campaign.templateId,
  isTest: campaign.testPercent !== null,
  templateBId: campaign.templateBId,
  testPercent: String(campaign.testPercent ?? 20),
  decideBy: campaign.channel === 'text' ? 'replied' : campaign.decideBy,
  decideAfterHours: String(campaign.decideAfterHours),
  perHour: String(campaign.perHour),
})

const shares = ['10', '20', '30', '50', '100']

/** A draft: its form, the check before sending, and a preview. */
export function CampaignDraft({ campaign }: { campaign: CampaignData }) {
  const views = useViews().filter(({ list }) => list.search !== undefined || list.filter !== undefined)
  const templates = useQuery(orpc.emailTemplates.list.queryOptions({ input: { channel: campaign.channel } }))
  const show = useShowCampaign()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState(false)
  /** As the form began. */
  const [base, setBase] = useState(campaign)
  const { id, version, channel, audience } = base
  const hasFilter = isFiltered(base)
  const form = useActionForm<Values, CampaignData>({
    initial: () => valuesOf(campaign),
    check: (values) => problemsIn(campaignFields, toInput(values)),
    send: (values) => client.campaigns.update({ id, version, ...toInput(values) }),
    onDone(saved) {
      setBase(saved)
      form.reset(valuesOf(saved))
      show(saved)
    },
  })
  // A colleague has saved it.
  if (campaign.version > base.version && !form.isDirty) {
    setBase(campaign)
    form.reset(valuesOf(campaign))
  }
  const { values, problems } = form
  const isChosen = (template: string) => template === values.templateId || template === values.templateBId

  function toInput({ audience: chosen, isTest, testPercent, decideAfterHours, perHour, templateBId, ...rest }: Values) {
    const view = views.find((one) => one.id === chosen)
    const given = { audience, audienceName: base.audienceName }
    const selected =
      chosen === 'all'
        ? { audience: {}, audienceName: null }
        : view
          ? {
              audience: {
                ...(view.list.search !== undefined && { search: view.list.search }),
                ...(view.list.filter !== undefined && { filter: view.list.filter }),
              },
              audienceName: view.name,
            }
          : given
    return {
      ...rest,
      ...selected,
      channel,
      templateBId: isTest ? templateBId : null,
      testPercent: isTest ? Number(testPercent) : null,
      decideAfterHours: Number(decideAfterHours),
      perHour: Number(perHour),
    }
  }

  async function remove() {
    try {
      await client.campaigns.delete({ id })
      await navigate({ to: '/campaigns' })
      toast.success('Draft deleted')
    } catch (error) {
      toast.error('Couldn’t delete the draft', messageOf(error))
    }
  }

  // The French version of a template belongs to the English one. A draft that has a template of the system's shows its name.
  const options = (templates.data ?? [])
    .filter(({ id: template, name }) => templateLanguage(name) === 'en' && (!isSystemTemplate(name) || isChosen(template)))
    .map(({ id: value, name }) => ({ value, label: templateTitle(name) }))
  return (
    <div className="grid gap-x-10 gap-y-8 pt-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-8">
        <Form form={form} className="flex flex-col gap-5">
          {problems.form && <Alert tone="danger">{problems.form}</Alert>}
          <Field label="Name" hint="Only staff see it" error={problems.name}>
            <Input {...form.text('name')} autoComplete="off" maxLength={100} />
          </Field>
          <Field
            label="Patients"
            error={problems.audience}
            aside={
              <Link to="/contacts" search={{ ...audience }} className="text-sm text-accent-fg hover:underline max-md:py-1.5">
                Open patients
              </Link>
            }
          >
            <Select
              {...form.choice('audience')}
              options={[
                ...(hasFilter ? [{ value: 'given', label: base.audienceName ?? 'Filter of the patient list' }] : []),
                { value: 'all', label: 'All patients' },
                ...views.filter(({ name }) => name !== base.audienceName).map(({ id: value, name }) => ({ value, label: name })),
              ]}
            />
          </Field>
          <Field label={values.isTest ? 'Template A' : 'Template'} error={problems.templateId}>
            <Select {...form.bind('templateId')} placeholder="Choose a template" options={options} />
          </Field>
          <CheckboxLine {...form.tick('isTest')} hint="Sends A and B to a few patients first, then the better one to the others">
            Test two templates
          </CheckboxLine>
          {values.isTest && (
            <div className="grid grid-cols-2 gap-x-3 gap-y-5 md:grid-cols-3">
              <Field label="Template B" error={problems.templateBId} className="col-span-2 md:col-span-3">
                <Select {...form.bind('templateBId')} placeholder="Choose a template" options={options} />
              </Field>
              <Field label="Test with" error={problems.testPercent}>
                <Select {...form.choice('testPercent')} options={shares.map((value) => ({ value, label: `${value}% of patients` }))} />
              </Field>
              {values.testPercent !== '100' && (
                <>
                  <Field label="Decide by">
                    <Select
                      {...form.choice('decideBy')}
                      options={deciders
                        .filter((value) => channel === 'email' || value === 'replied')
                        .map((value) => ({ value, label: deciderLabels[value] }))}
                    />
                  </Field>
                  <Field label="Decide after (hours)" error={problems.decideAfterHours}>
                    <Input {...form.text('decideAfterHours')} inputMode="numeric" className="tabular-nums" />
                  </Field>
                </>
              )}
            </div>
          )}
          <Field label="Maximum messages per hour" error={problems.perHour}>
            <Input {...form.text('perHour')} inputMode="numeric" className="max-w-40 tabular-nums" />
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button
              variant="filled"
              icon={<Send />}
              busy={form.isBusy}
              onClick={() => void (form.isDirty ? form.submit() : Promise.resolve(true)).then((isSaved) => isSaved && setDialog(true))}
            >
              Send…
            </Button>
            <Button type="submit" disabled={!form.isDirty} busy={form.isBusy} busyLabel="Saving…">
              Save draft
            </Button>
            <Button variant="danger" onClick={() => void remove()}>
              Delete draft
            </Button>
          </div>
        </Form>
        <div className="border-t border-line pt-6">
          <PreviewSection campaign={campaign} />
        </div>
      </div>
      <CheckPanel campaign={campaign} />
      {dialog && <StartDialog campaign={campaign} onClose={() => setDialog(false)} />}
    </div>
  )
}
