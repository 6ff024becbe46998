//! What the command lines of heat-wait and manila-wait share above the poll engine.
