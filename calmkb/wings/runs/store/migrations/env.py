"""What Alembic runs a step in: the connection and the transaction that `migrate` was given."""

from alembic import context

from calmkb.wings.runs.store.tables import METADATA, VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSION_TABLE,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
