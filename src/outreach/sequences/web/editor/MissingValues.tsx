import { Link } from '@tanstack/react-router'
import type { Client } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'

type Missing = Awaited<ReturnType<Client['sequences']['dryRun']>>['missing']

/** What templates need and have for no patient, with a link to where each is set. */
export function MissingValues({ missing, className }: { missing: Missing; className?: string }) {
  if (missing.length === 0) return null
  return (
    <Alert tone="warning" className={className}>
      <p>The sequence can’t be turned on: values are missing.</p>
      <ul className="list-disc pt-1 pl-5">
        {missing.map(({ templateId, template, variable, isPractice }) => (
          <li key={`${templateId} ${variable}`}>
            “{template}” contains {`{{${variable}}}`}, which {isPractice ? 'is empty' : 'has no value in a sequence'}.{' '}
            <Link
              to="/settings/$section"
              params={{ section: isPractice ? 'practice' : 'templates' }}
              className="font-medium whitespace-nowrap underline"
            >
              {isPractice ? 'Set it in Practice' : 'Change the template'}
            </Link>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
