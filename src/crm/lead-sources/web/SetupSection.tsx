import { useState } from 'react'
import { Field } from '../../../ui/forms/Field.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Copyable } from './Copyable.tsx'
import { curlExample, formExample } from './examples.ts'
import { setupGuides } from './setup-steps.ts'

const websiteForm = 'Form on your website'
const apiClient = 'API client'
const tools = [websiteForm, ...setupGuides.map(({ tool }) => tool), apiClient]

/** Step-by-step instructions for sending leads from a form tool, with the URL to paste there. */
export function SetupSection({ address }: { address: string }) {
  const [tool, setTool] = useState(websiteForm)
  const guide = setupGuides.find((one) => one.tool === tool)
  return (
    <section aria-labelledby="lead-setup" className="flex flex-col gap-4">
      <h3 id="lead-setup" className="border-b border-line pb-3 text-title font-semibold text-fg">
        Set up a tool
      </h3>
      <Field label="Tool" className="max-w-80">
        <Select
          value={tool}
          onValueChange={(next) => setTool(next ?? websiteForm)}
          options={tools.map((value) => ({ value, label: value }))}
        />
      </Field>
      {tool === websiteForm && <Copyable label="Form for a website" text={formExample(address)} />}
      {tool === apiClient && <Copyable label="Example request" text={curlExample(address)} />}
      {guide && (
        <>
          <Copyable label="Address to paste" text={address} />
          <ol
            aria-label={`Steps for ${guide.tool}`}
            className="flex max-w-[60ch] list-decimal flex-col gap-2 pl-5 text-sm text-fg marker:text-fg-3"
          >
            {guide.steps.map((step) => (
              <li key={step} className="pl-1">
                {step}
              </li>
            ))}
          </ol>
          {guide.note && <p className="max-w-[60ch] text-sm text-fg-2">{guide.note}</p>}
        </>
      )}
    </section>
  )
}
