/**
 * Lints the OpenAPI document as `redocly lint` does, with its recommended rules, every one of them as an error. Examples are compared with their
 * schemas, references are resolved, and ambiguous paths are refused.
 */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { apiJson } from '../../src/app/api-document/document.ts'

/** Rules that cannot hold here. */
const off = {
  'info-license': 'off', // the owner has chosen none
} as const

const config = await createConfig({ extends: ['recommended'], rules: off })
const source = await apiJson('https://clinic.refyne.invalid')
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
for (const { ruleId, message, location } of problems) console.error(`${location[0]?.pointer ?? ''}: ${message} (${ruleId})`)
console.log(`${source.length} characters, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
