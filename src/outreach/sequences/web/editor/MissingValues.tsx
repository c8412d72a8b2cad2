import { Link } from '@tanstack/react-router'
import type { Client } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'

type Missing = Awaited<ReturnType<Client['sequences']['dryRun']>>['missing']

/** What templates need and have for no patient, with a link to where each value is set. */
export function MissingValues({ missing, className }: { missing: Missing; className?: string }) {
  if (missing.length === 0) return null
  return (
    <Alert tone="warning" title="The sequence can’t be turned on yet" className={className}>
      <ul className="flex flex-col gap-1.5">
        {[...Map.groupBy(missing, ({ variable }) => variable)].map(([variable, of]) => (
          <MissingValue key={variable} variable={variable} of={of} />
        ))}
      </ul>
    </Alert>
  )
}

function MissingValue({ variable, of }: { variable: string; of: Missing }) {
  const isPractice = of.some((one) => one.isPractice)
  const templates = new Intl.ListFormat('en-CA').format(of.map(({ template }) => `“${template}”`))
  return (
    <li>
      {`{{${variable}}}`} {isPractice ? 'is empty' : 'has no value in a sequence'}. It is in {templates}.{' '}
      <Link
        to="/settings/$section"
        params={{ section: isPractice ? 'practice' : 'templates' }}
        className="font-medium whitespace-nowrap underline"
      >
        {isPractice ? 'Set it in Practice' : `Change the template${of.length === 1 ? '' : 's'}`}
      </Link>
    </li>
  )
}
