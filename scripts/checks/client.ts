/**
 * Generates a typed client from the OpenAPI document as others do it, with openapi-typescript, and type-checks the calls of test/api-client
 * against it. What they answer is tested there.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { apiJson } from '../../src/app/api-document/document.ts'

// openapi-typescript prints with the programming interface of TypeScript 5, which 7 does not have.
const compiler = new URL('../typescript-5/package.json', import.meta.url).href
registerHooks({
  resolve: (name, context, next) => next(name, name === 'typescript' ? { ...context, parentURL: compiler } : context),
})
const { default: openapiTypescript, astToString } = await import('openapi-typescript')

const project = path.join(import.meta.dirname, '../../test/api-client')
const source = await apiJson('https://clinic.refyne.invalid')
const types = astToString(await openapiTypescript(source))
mkdirSync(path.join(project, 'generated'), { recursive: true })
writeFileSync(path.join(project, 'generated/api.d.ts'), types)
const { status } = spawnSync('tsc', ['--project', project, '--pretty', 'false'], { stdio: 'inherit', shell: process.platform === 'win32' })
console.log(`${types.length} characters of types`)
process.exitCode = status ?? 1
