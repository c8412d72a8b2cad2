import { useState } from 'react'
import { Field } from '../../../ui/forms/Field.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Copyable } from './Copyable.tsx'
import { curlExample, formExample } from './examples.ts'
import { setupGuides } from './setup-steps.ts'

const ownForm = 'A form on your own website'
const ownProgram = 'API client'
const tools = [ownForm, ...setupGuides.map(({ tool }) => tool), ownProgram]

/** How the tool that has the leads is set up, step by step, with what has to be copied into it. */
export function SetupSection({ address }: { address: string }) {
  const [tool, setTool] = useState(ownForm)
  const guide = setupGuides.find((one) => one.tool === tool)
  return (
    <section aria-labelledby="lead-setup" className="flex flex-col gap-4">
      <h3 id="lead-setup" className="border-b border-line pb-3 text-title font-semibold text-fg">
        Set up a tool
      </h3>
      <Field label="Tool" className="max-w-80">
        <Select value={tool} onValueChange={(next) => setTool(next ?? ownForm)} options={tools.map((value) => ({ value, label: value }))} />
      </Field>
      {tool === ownForm && <Copyable label="Form for a website" text={formExample(address)} />}
      {tool === ownProgram && <Copyable label="Example request" text={curlExample(address)} />}
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
